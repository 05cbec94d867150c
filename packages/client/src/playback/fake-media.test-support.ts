/**
 * A media element as the HTML standard describes it, reduced to what `keepPlaying` uses. The test controls when it
 * loads, fails and plays.
 */
export class FakeMedia extends EventTarget {
  readonly loads: string[] = [];
  error: { code: number } | null = null;
  paused = true;
  autoplay = false;
  volume = 1;
  muted = false;
  duration = 100;
  playbackRate = 1;
  defaultPlaybackRate = 1;
  readyState = 0;
  seeking = false;
  /** 2 while it waits for data, 1 when it needs none. */
  networkState = 0;
  /** Last position to which it can seek; 0 without byte ranges. */
  seekableEnd = this.duration;
  seekable = { length: 1, end: () => this.seekableEnd };
  buffered = { length: 0, start: (_index: number) => 0, end: (_index: number) => 0 };
  /** Set it to reject the next calls of `play`. */
  refusal: string | undefined;
  /** In the standard, a position that is set before the metadata becomes the start. Some browsers ignore it. */
  takesEarlySeeks = true;
  #src = '';
  #position = 0;
  #startPosition = 0;
  #stream: object | null = null;

  get srcObject(): object | null {
    return this.#stream;
  }

  set srcObject(stream: object | null) {
    this.#stream = stream;
    this.fire('emptied');
  }

  get src(): string {
    return this.#src;
  }

  set src(url: string) {
    this.#src = url;
    this.loads.push(url);
    this.error = null;
    this.paused = true;
    this.playbackRate = this.defaultPlaybackRate;
    this.readyState = 0;
    this.networkState = 2;
    this.#position = 0;
    this.#startPosition = 0;
    this.fire('emptied');
  }

  get currentTime(): number {
    return this.readyState === 0 ? this.#startPosition : this.#position;
  }

  set currentTime(seconds: number) {
    if (this.readyState === 0) this.#startPosition = this.takesEarlySeeks ? seconds : 0;
    else {
      this.#position = seconds;
      this.fire('seeking');
    }
  }

  play(): Promise<void> {
    if (this.refusal !== undefined) return Promise.reject(new DOMException('', this.refusal));
    if (this.paused) {
      this.paused = false;
      this.fire('play');
    }
    return Promise.resolve();
  }

  pause(): void {
    if (this.paused) return;
    this.paused = true;
    this.fire('pause');
  }

  fire(name: string): void {
    this.dispatchEvent(new Event(name));
  }

  /** Loads its URL up to the first frame. */
  begin(): void {
    this.readyState = 4;
    this.networkState = 1;
    this.#position = Math.min(this.#startPosition, this.seekableEnd);
    this.fire('loadedmetadata');
    this.fire('loadeddata');
    if (!this.paused) this.fire('playing');
  }

  /** Plays for some seconds. */
  advance(seconds: number): void {
    this.move(seconds);
    this.fire('timeupdate');
  }

  /** Plays for some seconds, and reports nothing yet. */
  move(seconds: number): void {
    this.#position += seconds;
  }

  /** Fails as Chromium does: an error, then a pause. */
  fail(code: number): void {
    this.error = { code };
    this.fire('error');
    if (!this.paused) {
      this.paused = true;
      this.fire('pause');
    }
  }
}
