/**
 * `millrace queue check|repair|export|drain|import`: looks after a persisted queue whose pipeline does not run. Results
 * go to standard output, everything else to standard error. Exit code 0 when all is well, 1 when something is damaged
 * or missing, 2 for a wrong command line.
 */
import { printTo, ReaderGone } from './printed-results.ts'
import {
  check,
  drain,
  exportEvents,
  importEvents,
  NoQueue,
  type QueueOutput,
  repair,
} from './queue-actions.ts'

const usage = `Usage: millrace queue COMMAND DIRECTORY

DIRECTORY is the queue of one pipeline: path.queue with the id of the pipeline, as in data/queue/main. The pipeline
must not be running, except for check.

Commands:
    check DIR               Read every record and say what is damaged or missing; changes nothing.
    repair DIR              Close damaged places: what can be read stays, the rest is kept in DIR/quarantine.
    export DIR              Print the events that were not delivered yet, a line of JSON each.
    drain DIR               The same, and remove them from the queue.
    import FROM DIR         Copy the events of a queue of Logstash into a queue; FROM is only read.

check and export read queues of Logstash as well. With output.isolation each output has a queue of its own, in
DIR/outputs/NAME; the commands take that directory, too.
`

export async function queueCommand(
  args: readonly string[],
  output: QueueOutput = processOutput(),
): Promise<number> {
  const [command, ...directories] = args
  if (args.includes('--help') || args.includes('-h')) {
    await output.print(usage)
    return 0
  }
  const action = actionOf(command, directories, output)
  if (action === undefined) {
    output.tell(usage)
    return 2
  }
  try {
    return await action()
  } catch (error) {
    if (error instanceof ReaderGone) return 1
    output.tell(`ERROR: ${(error as Error).message}\n`)
    return error instanceof NoQueue ? 2 : 1
  }
}

function actionOf(
  command: string | undefined,
  [first, second, ...more]: readonly string[],
  output: QueueOutput,
): (() => Promise<number>) | undefined {
  if (first === undefined || more.length > 0 || first.startsWith('-')) return undefined
  if (command === 'import')
    return second === undefined ? undefined : () => importEvents(first, second, output)
  if (second !== undefined) return undefined
  switch (command) {
    case 'check':
      return () => check(first, output)
    case 'repair':
      return () => repair(first, output)
    case 'export':
      return () => exportEvents(first, output)
    case 'drain':
      return () => drain(first, output)
    default:
      return undefined
  }
}

function processOutput(): QueueOutput {
  return { print: printTo(process.stdout), tell: (text) => void process.stderr.write(text) }
}
