/** `millrace top`: how the pipelines of a node do, again and again. Works with any node that has Logstash's API. */
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { refuse } from '../arguments.ts'
import { processOutput } from '../command-output.ts'
import { NodeClient, nodeFlags } from '../node-client.ts'
import { runCommand } from '../run-command.ts'
import { type StatsBody, topText } from './top-view.ts'

const usage = `Usage: millrace top [OPTIONS]

Shows pipelines with their rates and queues, and the plugins that take the most time. The node may be Millrace or
Logstash.

Options:
    --url URL          The node (http://127.0.0.1:9600); --user NAME:PASSWORD if it asks for one.
    --interval SECS    How often to look (2).
    --once             Print once and end, as when the output is no terminal.
    --file FILE        A recorded answer of /_node/stats instead of a node.
`

const home = '\u001b[H'
const clearLine = '\u001b[K'
const clearBelow = '\u001b[J'
const clearScreen = `\u001b[2J${home}`

function screen() {
  return { columns: process.stdout.columns ?? 80, rows: (process.stdout.rows ?? 24) - 1 }
}

const rules = {
  usage,
  command: 'top',
  switches: ['--once'],
  values: ['--interval', '--file', ...nodeFlags],
}

export async function topCommand(args: readonly string[], output = processOutput()): Promise<number> {
  return runCommand(args, output, rules, async (given) => {
    const seconds = Number(given.value('--interval') ?? 2)
    if (!(seconds >= 0.25 && seconds <= 3600)) refuse('top', '--interval: from 0.25 to 3600 seconds')
    const file = given.value('--file')
    const plain = { columns: 200, rows: 1000 }
    if (file !== undefined) {
      const body = JSON.parse(await readFile(file, 'utf8')) as StatsBody
      await output.print(`${topText(body, undefined, 0, plain)}\n`)
      return 0
    }
    const client = NodeClient.from(given)
    const read = () => client.json<StatsBody>('/_node/stats')
    let before = await read()
    let at = performance.now()
    if (given.has('--once') || !output.isTerminal) {
      await wait(Math.min(1, seconds) * 1000)
      const now = await read()
      await output.print(`${topText(now, before, (performance.now() - at) / 1000, plain)}\n`)
      return 0
    }
    await output.print(`${clearScreen}${topText(before, undefined, 0, screen())}\n`)
    for (;;) {
      await wait(seconds * 1000)
      let now: StatsBody
      try {
        now = await read()
      } catch (error) {
        await output.print(`${(error as Error).message.split('\n')[0]}; trying again.${clearLine}\r`)
        continue
      }
      const then = performance.now()
      const text = topText(now, before, (then - at) / 1000, screen())
      // Written over the last picture: a screen that is cleared first flickers.
      await output.print(`${home}${text.replaceAll('\n', `${clearLine}\n`)}${clearLine}\n${clearBelow}`)
      before = now
      at = then
    }
  })
}
