/** What `millrace migrate` says while it runs: what happened, and now and then how far it is and how fast. */
import type { MigrationProgress } from '../../migrate/migration.ts'
import type { CommandOutput } from '../command-output.ts'

const everyMillis = 5000

export class MigrationLines {
  readonly #output: CommandOutput
  readonly #clock: () => number
  #shownAt: number
  #shown = 0

  constructor(output: CommandOutput, clock = () => performance.now()) {
    this.#output = output
    this.#clock = clock
    this.#shownAt = clock()
  }

  tell(line: string): void {
    this.#output.tell(`${line}\n`)
  }

  progress({ copied, total }: MigrationProgress): void {
    const passed = this.#clock() - this.#shownAt
    if (passed < everyMillis) return
    const rate = Math.round(((copied - this.#shown) / passed) * 1000)
    this.#shownAt += passed
    this.#shown = copied
    const left = Math.max(0, total - copied)
    const time = rate === 0 ? '' : `, about ${Math.ceil(left / rate)} s`
    const figures = [copied, rate, left].map((one) => one.toLocaleString('en-US'))
    this.tell(`${figures[0]} documents copied, ${figures[1]}/s, ${figures[2]} left${time}`)
  }
}
