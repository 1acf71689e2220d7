// `import 'playsim/jest'` in a setup file, or in a test: adds the matchers to Jest's `expect`.
import { expect } from '@jest/globals';
import { serializer, toFollowRules, toHaveEvents, toMatchTrace } from './matchers.js';
import type { PlaysimMatchers } from './matchers.js';

expect.extend({ toHaveEvents, toFollowRules, toMatchTrace: toMatchTrace(expect as never) } as unknown as Parameters<typeof expect.extend>[0]);
expect.addSnapshotSerializer(serializer as unknown as Parameters<typeof expect.addSnapshotSerializer>[0]);

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends PlaysimMatchers<R> {}
}

declare global {
  namespace jest {
    interface Matchers<R, T = {}> extends PlaysimMatchers<R> {}
  }
}

export type { ExpectedEvent, PlaysimMatchers, ToHaveEventsOptions } from './matchers.js';
