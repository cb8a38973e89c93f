/**
 * `init` and `code`: one program, whose code runs once per event.
 */
import { Event } from '../../../event/event.ts'
import type { FilterInstance, PluginLogger } from '../../../plugin/define.ts'
import { compileProgram, Proc, type ProgramText } from '../../../ruby/program.ts'
import { detailsOf, type ExceptionOptions, messageOf, tagException } from './exception.ts'

const className = 'LogStash::Filters::Ruby'

export function inlineTexts(
  init: string | undefined,
  code: string,
): { init: ProgramText; code: ProgramText } {
  return {
    init: { label: 'ruby init', text: init ?? '', parameters: [] },
    code: { label: 'ruby code', text: code, parameters: ['event', 'new_event_block'] },
  }
}

export function inlineFilter(
  init: string | undefined,
  code: string,
  options: ExceptionOptions,
  logger: PluginLogger,
  matched: (event: Event) => void,
): FilterInstance {
  const texts = inlineTexts(init, code)
  const program = compileProgram([texts.init, texts.code], { className, logger })
  const [prepare, run] = program.runs
  const { emits } = program.findings[1]!
  let give: (event: Event) => void = () => undefined
  const block = new Proc(([event]) => {
    if (event instanceof Event) give(event)
    return null
  }, 1)
  return {
    register: () => {
      prepare!()
    },
    filter: (event, emit) => {
      if (emits) give = emit
      try {
        run!(event, block)
        // A failure of add_field and the like is tagged too, so they run here and not in the host.
        matched(event)
      } catch (error) {
        logger.error(`Ruby exception occurred: ${messageOf(error)}`, detailsOf(error, '(ruby filter code)'))
        tagException(event, error, options)
      }
      return false
    },
  }
}
