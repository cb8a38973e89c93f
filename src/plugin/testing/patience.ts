/**
 * A limit for a wait that counts only the time in which this process was running. A machine that stands still
 * for half a minute (a guest whose host gives it no processor, a laptop that slept) makes nothing late.
 */
const maxStep = 1000

/** Ask at least once in a second; what passes between two questions counts as a second at most. */
export class Patience {
  #left: number
  #asked = performance.now()

  constructor(milliseconds: number) {
    this.#left = milliseconds
  }

  get isOver(): boolean {
    const now = performance.now()
    this.#left -= Math.min(now - this.#asked, maxStep)
    this.#asked = now
    return this.#left <= 0
  }
}

/** Like `setTimeout`; taken back by `clearTimeout`. */
export function setPatience(act: () => void, milliseconds: number): NodeJS.Timeout {
  const patience = new Patience(milliseconds)
  const look = () => {
    if (!patience.isOver) return
    clearTimeout(timer)
    act()
  }
  const timer = setInterval(look, Math.min(milliseconds, 100))
  return timer
}

/** Like `AbortSignal.timeout`. */
export function patientSignal(milliseconds: number): AbortSignal {
  const controller = new AbortController()
  const late = new DOMException(`no answer within ${milliseconds} ms`, 'TimeoutError')
  setPatience(() => controller.abort(late), milliseconds).unref()
  return controller.signal
}
