import { TestEnvironment } from 'jest-environment-jsdom';

// jsdom has no fetch, and the fetch of Node rejects the abort signals of jsdom.
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
