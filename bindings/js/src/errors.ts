import type { Code } from './generated/player.js';

/** A mistake in a scenario, with its place. */
export interface Mistake {
  message: string;
  /** From 1; 0 if the place is unknown. */
  line: number;
  /** From 1. */
  column: number;
  /** The place in the text, in bytes, if it is known. */
  range?: [number, number] | undefined;
  /** What was probably meant. */
  suggestion?: string | undefined;
}

/** What the module says of an error. */
export interface Failure {
  message: string;
  code?: Code | undefined;
  rule?: string | undefined;
  mistakes?: Mistake[] | undefined;
}

/**
 * An error of playsim: a call of the player that fails as documented (`code`, `rule`), a scenario with mistakes
 * (`mistakes`), or a run that cannot go on.
 */
export class SimError extends Error {
  override readonly name = 'SimError';
  /** Why a call fails, such as `no_such_player` or `destroyed`. */
  readonly code: Code | undefined;
  /** The rule that decided, such as `INIT-19`; `playsim rules INIT-19` prints it. */
  readonly rule: string | undefined;
  /** The mistakes of a scenario. */
  readonly mistakes: readonly Mistake[];

  /** Entries of the package have a copy of this class each; an error of one is an error of all. */
  static override [Symbol.hasInstance](it: unknown): boolean {
    return it instanceof Error && it.name === 'SimError' && 'mistakes' in it;
  }

  constructor({ message, code, rule, mistakes = [] }: Failure, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.rule = rule;
    this.mistakes = mistakes.map(({ suggestion, ...mistake }) => ({ ...mistake, ...(suggestion ? { suggestion } : {}) }));
  }
}
