/** The report on hot threads as Logstash prints it: rules of 80 characters, one block per thread, frames after a tab. */
import type { HotThread } from './hot-threads.ts'

const rule = (character: string) => `${character.repeat(80)}\n`

export function logstashText(
  host: string,
  time: string,
  busiest: number,
  threads: readonly HotThread[],
): string {
  const head = `::: {${host}}\nHot threads at ${time}, busiestThreads=${busiest}: \n${rule('=')}`
  return head + threads.map(block).join('')
}

/** At least one decimal, as Ruby prints its numbers. */
function withFraction(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value)
}

function block({ name, thread_id, percent_of_cpu_time, state, path, traces }: HotThread): string {
  const first = `${withFraction(percent_of_cpu_time)} % of cpu usage, state: ${state}, thread name: '${name}', thread id: ${thread_id} \n`
  const where = path === undefined ? '' : `${path}\n`
  return `${first}${where}${traces.map((frame) => `\t${frame}\n`).join('')}${rule('-')}`
}
