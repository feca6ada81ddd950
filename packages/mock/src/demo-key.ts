import { formatApiKey } from '@lotline/contract/checks'

/** A key that the mock takes; it takes every other well-formed key as well. */
export const DEMO_KEY = formatApiKey('MockDemoKeyMockDemoKeyMockDemoKe')
