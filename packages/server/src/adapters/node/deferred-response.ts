import { toResponse, type WholeAnswer, wholeBodyOf } from '../../http/whole-answer.ts';

/**
 * Stands for a response, and makes it once anybody looks at it. Most are only passed on to be sent, and to make them
 * would cost more than to send them.
 */
export function deferResponse(answer: WholeAnswer): Response {
  return new DeferredResponse(answer) as unknown as Response;
}

/**
 * What is sent of a response in one go; `undefined` where its body is a stream, was made elsewhere, or has been read,
 * and where it sets more than one cookie: that header alone has several values.
 */
export function wholeAnswerOf(response: Response): WholeAnswer | undefined {
  const deferred = DeferredResponse.answerOf(response);
  if (deferred !== undefined) return deferred;
  const made = DeferredResponse.madeOf(response);
  const body = made.headers.getSetCookie().length > 1 ? undefined : wholeBodyOf(made);
  return body === undefined ? undefined : { status: made.status, headers: Object.fromEntries(made.headers), body };
}

class DeferredResponse {
  readonly #answer: WholeAnswer;
  #made: Response | undefined;

  constructor(answer: WholeAnswer) {
    this.#answer = answer;
  }

  /** Read of every response, and the same in both. */
  get status(): number {
    return this.#answer.status;
  }

  /** Only while nobody can have changed anything. */
  static answerOf(response: object): WholeAnswer | undefined {
    return #answer in response && response.#made === undefined ? response.#answer : undefined;
  }

  static madeOf(response: Response): Response {
    const deferred: object = response;
    if (!(#answer in deferred)) return response;
    deferred.#made ??= toResponse(deferred.#answer);
    return deferred.#made;
  }
}

const { prototype } = DeferredResponse;
Object.setPrototypeOf(prototype, Response.prototype);
Reflect.deleteProperty(prototype, 'constructor');
for (const name of Reflect.ownKeys(Response.prototype)) {
  if (name === 'constructor' || name === 'status') continue;
  Object.defineProperty(prototype, name, {
    get(this: Response) {
      const made = DeferredResponse.madeOf(this);
      const value = Reflect.get(made, name);
      return typeof value === 'function' ? value.bind(made) : value;
    },
  });
}
