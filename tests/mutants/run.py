#!/usr/bin/env python3
"""Plants each fault of list.txt in a copy of the last commit, one at a time, and tells which tests find it.

    tests/mutants/run.py              all of them; exit code 1 if one is not found
    tests/mutants/run.py 3 17         the third and the seventeenth
    tests/mutants/run.py --draw 40 --seed 7
                                      adds to list.txt until it has that many: draws from all that cargo-mutants can
                                      plant, tries each, and takes those that are found. A draw that was broken off
                                      goes on with what is in the list

Needs cargo-mutants, which lists the faults, and patch. A line of the list is: file, name of the fault as cargo-mutants
has it without the place, and which of those with this name it is. Where the code has changed so that there is no such
fault any more, the line is to be replaced by another one, and the run says so.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "mutants"
COPY = TARGET / "copy"
ENGINE = ["playsim-ads", "playsim-element", "playsim-player"]
# What is drawn from in turn.
GROUPS = [["playsim-check"], ENGINE, ["playsim-import"], ["playsim-vast"]]
PACKAGES = [package for group in GROUPS for package in group]

CASES = ["--test", "cases"]


def suite(*modules):
    return ["--test", "suite", "--", *modules]


def unit(package):
    return ["--lib", "--package", "playsim-features", "--package", package]


# The tests that reach a crate, those that find most first; a fault is found by the first command that fails.
REACHED = {
    "playsim-check": [suite("check::"), CASES, unit("playsim-check")],
    **{package: [CASES, unit(package)] for package in ENGINE},
    "playsim-import": [suite("recordings::", "page::", "cli::waterfall"), unit("playsim-import")],
    "playsim-vast": [CASES, unit("playsim-vast"), suite("elements::", "macros::", "vast_limits::")],
}


def mutants():
    """All faults that can be planted, each with its key."""
    packages = [word for package in PACKAGES for word in ("--package", package)]
    out = subprocess.run(["cargo", "mutants", "--list", "--json", *packages], cwd=ROOT, check=True, capture_output=True, text=True)
    seen, found = {}, {}
    for mutant in json.loads(out.stdout):
        name = re.sub(r"^\S+?:\d+:\d+: ", "", mutant["name"])
        number = seen[mutant["file"], name] = seen.get((mutant["file"], name), 0) + 1
        found[f"{mutant['file']} | {name} | {number}"] = mutant
    return found


def prepare():
    if COPY.exists():
        subprocess.run(["git", "worktree", "remove", "--force", COPY], cwd=ROOT, check=True)
    subprocess.run(["git", "worktree", "prune"], cwd=ROOT, check=True)
    subprocess.run(["git", "worktree", "add", "--quiet", "--detach", COPY, "HEAD"], cwd=ROOT, check=True)
    assert cargo("build", ["--tests", "--features", "full"]) == 0, "the commit does not build"


def cargo(command, args):
    environment = {**os.environ, "CARGO_TARGET_DIR": str(TARGET), "CARGO_INCREMENTAL": "1", "RUST_BACKTRACE": "0"}
    with open(TARGET / "log.txt", "w") as log:
        # A fault may cause an endless loop.
        try:
            return subprocess.run(["cargo", command, "--locked", "--quiet", *args], cwd=COPY, env=environment, stdout=log, stderr=log, timeout=300).returncode
        except subprocess.TimeoutExpired:
            return 1


def verdict(mutant):
    """What finds a fault; None if nothing does, an empty string if it does not compile."""
    file = COPY / mutant["file"]
    sound = file.read_bytes()
    try:
        subprocess.run(["patch", "--quiet", "--no-backup-if-mismatch", file], input=mutant["diff"], text=True, check=True)
        for args in REACHED[mutant["package"]]:
            if cargo("test", args) != 0:
                is_built = "could not compile" not in (TARGET / "log.txt").read_text(errors="replace")
                return " ".join(args) if is_built else ""
        return None
    finally:
        file.write_bytes(sound)


def tried(key, mutant):
    begin = time.monotonic()
    found = verdict(mutant)
    words = {None: "NOT FOUND", "": "does not compile"}.get(found) or f"found by {found}"
    print(f"{key}: {words}, {time.monotonic() - begin:.0f} s", flush=True)
    return found


def draw(count, seed):
    """Draws from each group of crates in turn until enough are found. Those that are not found are told."""
    everything = mutants()
    found = [key for key in (HERE / "list.txt").read_text().splitlines() if key in everything]
    dice = random.Random(seed)
    decks = []
    for group in GROUPS:
        deck = sorted(key for key in everything if everything[key]["package"] in group and key not in found)
        dice.shuffle(deck)
        decks.append(deck)
    while len(found) < count:
        key = decks[len(found) % len(decks)].pop()
        if tried(key, everything[key]):
            found.append(key)
            (HERE / "list.txt").write_text("".join(f"{key}\n" for key in found))


def main():
    parser = argparse.ArgumentParser(description="Plants faults, and tells which tests find them.")
    parser.add_argument("numbers", nargs="*", type=int)
    parser.add_argument("--draw", type=int)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    TARGET.mkdir(parents=True, exist_ok=True)
    prepare()
    if args.draw:
        return draw(args.draw, args.seed)
    keys = (HERE / "list.txt").read_text().splitlines()
    everything = mutants()
    wrong = 0
    for key in [keys[number - 1] for number in args.numbers] or keys:
        if key not in everything:
            print(f"{key}: there is no such fault any more; replace the line")
            wrong += 1
        else:
            wrong += not tried(key, everything[key])
    sys.exit(wrong > 0)


main()
