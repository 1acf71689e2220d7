// The module without the package: for the scripts that the package is made with.
import { readFileSync } from 'node:fs';

const utf8 = new TextEncoder(), text8 = new TextDecoder();
let wasm;

export function load(path = new URL('../dist/playsim.wasm', import.meta.url)) {
  const host = { call: () => 0 };
  wasm = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)), { host }).exports;
}

export function request(what) {
  const bytes = utf8.encode(JSON.stringify(what)), at = wasm.ps_alloc(bytes.length);
  new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
  const length = wasm.ps_request(at, bytes.length);
  const answer = JSON.parse(text8.decode(new Uint8Array(wasm.memory.buffer, wasm.ps_out(), Math.abs(length))));
  if (length < 0) throw new Error(answer.message);
  return answer;
}
