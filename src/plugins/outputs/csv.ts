/** The csv output: chosen fields of events as lines of comma-separated values in files. */
import type { Event } from '../../event/event.ts'
import { valueText } from '../../event/sprintf.ts'
import type { Value } from '../../event/value.ts'
import { defineOutput, option, withoutEffect } from '../../plugin/define.ts'
import { encodeBlock, groupByTarget } from '../../plugin/encode-buffer.ts'
import { cellText, compileWriteRecord, usualForm } from '../csv/write-record.ts'
import { fileOptions, filePathOption, OutputFiles } from '../delivery/output-files.ts'
import { writeEach } from '../delivery/undelivered-blocks.ts'

export default defineOutput({
  name: 'csv',
  summary: 'Writes fields of events to CSV files.',
  description:
    'Maps and lists are written as JSON. With `spreadsheet_safe`, texts that a spreadsheet would run as a formula ' +
    'get an apostrophe in front.',
  options: {
    path: filePathOption,
    fields: option.array({ required: true, doc: 'Fields to write, in the order of the columns.' }),
    csv_options: option.hash({
      default: new Map(),
      doc: 'Form of the lines: `col_sep`, `quote_char`, `row_sep`, `force_quotes`.',
    }),
    spreadsheet_safe: option.boolean({
      default: true,
      doc: 'Whether texts that look like formulas are made harmless.',
    }),
    flush_interval: option.number(withoutEffect('batches are written at once.', 2)),
    gzip: option.boolean(withoutEffect('files are not compressed.', false)),
    create_if_deleted: option.boolean(withoutEffect('a file that was deleted is made again.', true)),
    ...fileOptions,
  },
  concurrency: 'single',
  create({ options, compile, abort, logger }) {
    const getters = options.fields.map((field) => compile.get(valueText(field)))
    const write = compileWriteRecord(formOf(options.csv_options))
    const safe = options.spreadsheet_safe
    const encode = (event: Event) => write(getters.map((get) => cell(get(event), safe)))
    const output = new OutputFiles(options, { compile, logger, abort })
    const { paths, delivery } = output

    return {
      writesThrough: true,
      register: () => output.start(),
      encode: (events) =>
        [...groupByTarget(events, paths.pathOf)].map(([target, group]) => encodeBlock(group, encode, target)),
      write: (blocks) => writeEach(blocks, ({ target, bytes }) => delivery.write(target, bytes)),
      close: () => output.close(),
    }
  },
})

function formOf(given: ReadonlyMap<string, Value>) {
  const text = (name: string, usual: string) => {
    const value = given.get(name)
    return value === undefined || value === null ? usual : valueText(value)
  }
  return {
    separator: text('col_sep', usualForm.separator),
    quote: text('quote_char', usualForm.quote),
    rowEnd: text('row_sep', usualForm.rowEnd),
    forceQuotes: text('force_quotes', 'false') === 'true',
  }
}

function cell(value: Value | undefined, safe: boolean): Value | undefined {
  if (value === undefined || value === null) return undefined
  const text = cellText(value)
  return safe && typeof value === 'string' && /^[=+\-@]/.test(text) ? `'${text}` : text
}
