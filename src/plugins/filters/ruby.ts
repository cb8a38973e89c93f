/**
 * ruby: runs Ruby code on every event. The code is compiled when the filter is created, so that whatever is
 * outside of the Ruby we have is refused by the config check, with its line, and never met by an event.
 */
import { defineFilter, option } from '../../plugin/define.ts'
import { type Findings, findingsOf } from '../../ruby/program.ts'
import { inlineFilter, inlineTexts } from './ruby/inline.ts'
import { scriptFilter, scriptFindings } from './ruby/script.ts'
import { wasmInlineFilter, wasmScriptFilter } from './ruby/wasm/filter.ts'

const notBoth = 'You must either use an inline script with the "code" option or a script file using "path".'

export default defineFilter({
  name: 'ruby',
  summary: 'Runs Ruby code on every event.',
  description: [
    'The code sees `event` and, to make further events, `new_event_block.call(event)`. It is Ruby as logs need',
    'it: the core classes, `json`, `time`, `date`, `digest`, `base64`, `securerandom`, `uri`, `ipaddr`, `set`, `csv` and',
    '`yaml`; no classes or modules of its own, no commands, no network, files can be read only. A construct or',
    'method outside of that is an error of the configuration that names it and its line.',
    '',
    'Instance, class and global variables last from event to event. A pipeline with code that changes them runs',
    'with one worker, so that all events see the same values.',
    'Code that keeps an event busy for more than 30 seconds is stopped as if it had raised an exception.',
    '',
    'For Ruby outside of that there is `engine => "wasm"`: a real Ruby 3.4 in WebAssembly, of the packages',
    '`@ruby/wasm-wasi` and `@ruby/3.4-wasm-wasi`, which have to be installed beside millrace. It has the whole language',
    'and its standard library, but no files, network or threads, takes seconds to start and about 150 MB per worker,',
    'needs a fraction of a millisecond for every access to an event, and code that does not end is not stopped.',
  ].join('\n'),
  options: {
    code: option.string({ doc: 'The code to run for every event.' }),
    init: option.string({ doc: 'Code that runs once, before the first event.' }),
    path: option.path({ doc: 'A script file that defines `filter(event)` and returns a list of events.' }),
    script_params: option.hash({
      default: new Map(),
      doc: 'What `register(params)` of the script file is given.',
    }),
    tag_on_exception: option.string({
      default: '_rubyexception',
      doc: 'Tag for events whose code raised an exception.',
    }),
    tag_with_exception_message: option.boolean({
      default: false,
      doc: 'Add a further tag that contains the message of the exception.',
    }),
    engine: option.oneOf(['native', 'wasm'], {
      default: 'native',
      doc: 'How the code is run: compiled by ourselves, or by a real Ruby in WebAssembly.',
    }),
  },
  examples: [
    {
      title: 'Compute a field',
      config: `ruby { code => "event.set('twice', event.get('n').to_i * 2)" }`,
      in: { n: '21' },
      out: { n: '21', twice: 42 },
    },
    {
      title: 'Remember something from event to event',
      config: `ruby { init => "@seen = 0" code => "@seen += 1; event.set('number', @seen)" }`,
      in: [{ a: 'x' }, { a: 'y' }],
      out: [
        { a: 'x', number: 1 },
        { a: 'y', number: 2 },
      ],
    },
    {
      title: 'One event more',
      config: `ruby { code => "copy = event.clone; copy.set('copy', true); new_event_block.call(copy)" }`,
      in: { a: 1 },
      out: [{ a: 1 }, { a: 1, copy: true }],
    },
  ],
  concurrency(options) {
    const findings = findingsFor(options)
    // Of code that only the real Ruby can read nothing is known.
    const isShared = findings === undefined ? options.engine === 'wasm' : findings.assignsShared
    return isShared ? 'shared-state' : 'stateless'
  },
  oneToOne(options) {
    if (options.code === undefined) return false
    const findings = findingsFor(options)
    return findings !== undefined && !findings.assignsShared && !findings.emits
  },
  concerns(options) {
    const findings = findingsFor(options)
    if (findings === undefined) return []
    const concerns = []
    if (findings.assignsShared) {
      concerns.push({
        option: options.code === undefined ? 'path' : 'code',
        message:
          'The code changes variables that last from event to event, so the pipeline runs with one worker.',
        hint: 'Use local variables, without @ or $, for what later events do not need.',
      })
    }
    if (findings.readsEventDirectly) {
      concerns.push({
        option: 'code',
        message: "The code uses event['field'], which raises an exception for every event since Logstash 5.",
        hint: "Write event.get('field') and event.set('field', value).",
      })
    }
    return concerns
  },
  create({ options, logger, matched }) {
    const { code, init, path, script_params, engine } = options
    const isNative = engine === 'native'
    if (code !== undefined && path === undefined) {
      return (isNative ? inlineFilter : wasmInlineFilter)(init, code, options, logger, matched)
    }
    if (path !== undefined && code === undefined) {
      return (isNative ? scriptFilter : wasmScriptFilter)(path, script_params, options, logger)
    }
    throw new Error(notBoth)
  },
})

interface Texts {
  readonly code?: string | undefined
  readonly init?: string | undefined
  readonly path?: string | undefined
}

/** What the code does for an event; undefined when it cannot be read, which creating the filter will say. */
function findingsFor({ code, init, path }: Texts): Findings | undefined {
  if (code !== undefined) return findingsOf(inlineTexts(init, code).code)
  return path === undefined ? undefined : scriptFindings(path)
}
