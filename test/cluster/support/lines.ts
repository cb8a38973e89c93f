/** Numbered lines that a node reads on its standard input. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Millrace } from '../../support/millrace.ts'

const stepMilliseconds = 50

export class Lines {
  /** How many were written. */
  sent = 0

  write(sender: Millrace, count: number): void {
    let text = ''
    for (let i = 0; i < count; i++) text += `{"n":${this.sent++}}\n`
    sender.write(text)
  }

  /** Writes lines at a rate for a while. */
  async send(sender: Millrace, perSecond: number, seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds * 1000; passed += stepMilliseconds) {
      this.write(sender, Math.round((perSecond * stepMilliseconds) / 1000))
      await wait(stepMilliseconds)
    }
  }
}
