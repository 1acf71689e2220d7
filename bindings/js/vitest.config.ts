import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const dist = (name: string) => fileURLToPath(new URL(`./dist/${name}`, import.meta.url));

// What is tested is the package as it is built, not its sources.
export default defineConfig({
  resolve: {
    alias: [
      { find: /^playsim$/, replacement: dist('node.js') },
      { find: /^playsim\/vitest$/, replacement: dist('vitest.js') },
    ],
  },
  test: {
    // To see that worlds which are forgotten are freed.
    execArgv: ['--expose-gc'],
    // On a machine that does something else, too.
    testTimeout: 30_000,
    include: ['test/**/*.test.ts', 'examples/**/*.test.js'],
  },
});
