import { TestEnvironment } from 'jest-environment-jsdom';

// jsdom has no fetch, and signals of its own, which the fetch of Node refuses.
const ofNode = {
  ...{ fetch, Headers, Request, Response, AbortController, AbortSignal, TextDecoder, TextEncoder },
  ...{ BroadcastChannel, ReadableStream, TransformStream, WritableStream },
};

export default class JsdomWithFetch extends TestEnvironment {
  override async setup(): Promise<void> {
    await super.setup();
    Object.assign(this.global, ofNode);
  }
}
