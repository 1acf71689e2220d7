// `import 'playsim/vitest'` in a setup file, or in a test: adds the matchers to Vitest's `expect`.
import { expect } from 'vitest';
import { serializer, toFollowRules, toHaveEvents, toMatchTrace } from './matchers.js';
import type { PlaysimMatchers } from './matchers.js';

expect.extend({ toHaveEvents, toFollowRules, toMatchTrace: toMatchTrace(expect) } as Parameters<typeof expect.extend>[0]);
expect.addSnapshotSerializer(serializer);

declare module 'vitest' {
  // eslint-disable-next-line
  interface Matchers<T = any> extends PlaysimMatchers<void> {}
}

export type { ExpectedEvent, PlaysimMatchers, ToHaveEventsOptions } from './matchers.js';
