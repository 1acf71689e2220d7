// Waits until the microtasks and promises of page code and test have settled. The functions are those that the
// process had when the package was imported, whatever fake timers do later.
import { builtin } from './module.js';

type Later = (run: () => void) => void;

/** Fake timers mark what they have put in place. */
const isReal = (fn: unknown): fn is Later => typeof fn === 'function' && !('clock' in fn);

function channel(): Later | undefined {
  const Channel = globalThis.MessageChannel ?? (builtin('node:worker_threads')?.MessageChannel as typeof MessageChannel);
  if (!Channel) return undefined;
  return (run) => {
    const { port1, port2 } = new Channel();
    port1.onmessage = () => {
      port1.close();
      run();
    };
    port2.postMessage(0);
  };
}

const immediate = (globalThis as { setImmediate?: unknown }).setImmediate ?? builtin('node:timers')?.setImmediate;
const later: Later = isReal(immediate) ? (run) => immediate(run) : channel() ?? ((run) => timeout(run, 0));
const timeout = globalThis.setTimeout;

export const settled = (): Promise<void> => new Promise((done) => later(done));
