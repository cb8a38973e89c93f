/** Options of columns that the csv filter and the csv codec have in the same words. */
import { option } from '../../plugin/define.ts'

export const columnOptions = {
  quote_char: option.string({ default: '"', doc: 'The character around quoted columns.' }),
  autogenerate_column_names: option.boolean({
    default: true,
    doc: 'Whether columns without a name are kept, under made-up names.',
  }),
}
