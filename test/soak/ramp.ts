/**
 * The highest rate that is sustained: it grows by half every step until the program falls behind, which is when the
 * senders cannot get rid of their events or the pipeline has more than two seconds of them inside; then it is narrowed.
 */
import { setTimeout as wait } from 'node:timers/promises'

export interface Ramp {
  setRate(rate: number): void
  /** Events sent so far. */
  sent(): number
  /** Events inside the pipeline: taken in, not yet out. */
  inside(): Promise<number>
  say(text: string): void
}

const firstRate = 500
const stepSeconds = 15
const settleSeconds = 3
const maxSteps = 14
/** Share of the rate that has to be sent in a step. */
const minShare = 0.96
const maxSecondsInside = 2
const maxDrainSeconds = 60

export async function highestRate(ramp: Ramp): Promise<number> {
  let sustained = 0
  let failed = Number.POSITIVE_INFINITY
  let rate = firstRate
  for (let step = 0; step < maxSteps; step++) {
    const { sent, inside } = await attempt(ramp, rate)
    const keepsUp = sent >= minShare * rate && inside <= maxSecondsInside * rate
    ramp.say(
      `${Math.round(rate)} events/s: ${Math.round(sent)} sent, ${inside} inside, ${keepsUp ? 'sustained' : 'too much'}`,
    )
    if (keepsUp) sustained = rate
    else {
      failed = rate
      ramp.setRate(0)
      await drained(ramp, rate)
    }
    if (failed / Math.max(sustained, 1) < 1.15) break
    rate = failed === Number.POSITIVE_INFINITY ? sustained * 1.5 : (sustained + failed) / 2
    if (sustained === 0 && rate < 20) break
  }
  return sustained
}

/** What the last step left behind must not be counted against the next one. */
async function drained(ramp: Ramp, rate: number): Promise<void> {
  for (let second = 0; second < maxDrainSeconds; second++) {
    await wait(1000)
    if ((await ramp.inside()) < rate / 10) return
  }
}

async function attempt(ramp: Ramp, rate: number): Promise<{ sent: number; inside: number }> {
  ramp.setRate(rate)
  await wait(settleSeconds * 1000)
  const before = ramp.sent()
  const began = performance.now()
  await wait((stepSeconds - settleSeconds) * 1000)
  const sent = ((ramp.sent() - before) * 1000) / (performance.now() - began)
  return { sent, inside: await ramp.inside() }
}
