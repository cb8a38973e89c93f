/** Exceptions of the control thread that nobody handles: said aloud, counted, and survived by everything else. */
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { killable, killHook } from '../support/lethal.ts'
import { IN, type Json, jsonLines, Millrace, OUT, write } from '../support/millrace.ts'

const running: Millrace[] = []

afterEach(async () => {
  for (const one of running.splice(0)) await one.dispose()
})

it('an exception of the control thread ends neither the node nor a pipeline', async () => {
  const millrace = await Millrace.start({
    config: `${IN} ${OUT}`,
    files: killHook,
    env: killable,
    api: true,
  })
  running.push(millrace)
  await millrace.untilStarted()
  await write(join(millrace.folder, 'kill-millrace.js'), '')
  await millrace.until('An exception nobody handles reached the control thread; the node goes on')
  expect(millrace.stdout).toMatch(/:error=>"killed by a test".*:backtrace=>\["at /)
  const { ext } = (await millrace.api('/_node/stats/ext')) as { ext?: Json }
  expect(ext).toMatchObject({ exceptions: 1 })
  millrace.write(jsonLines({ message: 'after' }))
  await millrace.until('"after"')
  millrace.signal('SIGTERM')
  expect(await millrace.exit()).toEqual({ code: 0, signal: null })
})
