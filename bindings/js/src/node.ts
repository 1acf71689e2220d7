// In Node the module is there as soon as this file is imported. Bun and Deno read it in the same way.
import { readFileSync } from 'node:fs';
import { use } from './module.js';

declare const MODULE_URL: string;

use(new WebAssembly.Module(readFileSync(MODULE_URL)));

/** The module is loaded already: this is for code that runs in browsers too. */
export async function init(): Promise<void> {}

export * from './index.js';
