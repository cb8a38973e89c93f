/** The options of the jdbc input. */
import { type OptionValues, option, withoutEffect } from '../../../plugin/define.ts'
import { connectionOptions, statementOptions } from '../../jdbc/connection-options.ts'

export const jdbcOptions = {
  ...connectionOptions,
  jdbc_password_filepath: option.path({ doc: 'File with the password, instead of `jdbc_password`.' }),
  statement: option.string({ doc: 'The statement to run; `:name` stands for a parameter.' }),
  statement_filepath: option.path({ doc: 'File with the statement, instead of `statement`.' }),
  parameters: option.hash({ default: new Map(), doc: 'Values of parameters by name.' }),
  use_prepared_statements: statementOptions.use_prepared_statements,
  prepared_statement_name: option.string(withoutEffect('drivers name prepared statements themselves.', '')),
  prepared_statement_bind_values: option.array({
    default: [],
    doc: 'Values for `?`, in order; `:sql_last_value` may be one of them.',
  }),
  schedule: option.string({ doc: 'When to run, as a cron expression; once unless given.' }),
  period: option.string({ doc: 'How often to run, such as `5m`, instead of `schedule`.' }),
  interval: option.string({ doc: 'The same as `period`.' }),
  schedule_overlap: option.boolean(withoutEffect('a run begins when the one before it is over.', true)),
  use_column_value: option.boolean({
    default: false,
    doc: 'Whether `:sql_last_value` is the last value of `tracking_column`, not the time of the last run.',
  }),
  tracking_column: option.string({ doc: 'Column whose last value is kept.' }),
  tracking_column_type: option.oneOf(['numeric', 'timestamp'] as const, {
    default: 'numeric',
    doc: 'Kind of that column.',
  }),
  record_last_run: option.boolean({ default: true, doc: 'Whether to keep the value in a file.' }),
  last_run_metadata_path: option.string({
    doc: 'File or folder that keeps it; below `path.data` unless given.',
  }),
  clean_run: option.boolean({ default: false, doc: 'Whether to forget the kept value at the start.' }),
  jdbc_paging_enabled: option.boolean({ default: false, doc: 'Whether to read the result in pages.' }),
  jdbc_page_size: option.number({ default: 100_000, doc: 'Rows per page.' }),
  jdbc_paging_mode: option.oneOf(['auto', 'explicit'] as const, {
    default: 'auto',
    doc: 'Whether pages are made of the statement, or the statement says so with `:size` and `:offset`.',
  }),
  jdbc_fetch_size: option.number({ doc: 'Rows to fetch at once; 1000 unless given.' }),
  lowercase_column_names: option.boolean({
    default: true,
    doc: 'Whether names of columns become lower case.',
  }),
  target: option.fieldReference({
    doc: 'Field that takes the row, instead of its columns becoming fields of the event.',
  }),
  columns_charset: option.hash(withoutEffect('drivers convert texts themselves.', new Map())),
  charset: option.string(withoutEffect('drivers convert texts themselves.')),
  jdbc_default_timezone: option.string({
    doc: 'Zone of times that name none, such as `Europe/Paris`; that of the computer unless given.',
  }),
  plugin_timezone: option.oneOf(['local', 'utc'] as const, {
    default: 'utc',
    doc: 'Accepted for compatibility; `:sql_last_value` is written in UTC.',
  }),
  connection_retry_attempts: option.number({ default: 1, doc: 'How often to try to connect.' }),
  connection_retry_attempts_wait_time: option.number({
    default: 0.5,
    doc: 'Seconds between two tries to connect.',
  }),
  statement_retry_attempts: option.number({ default: 1, doc: 'How often to try to run the statement.' }),
  statement_retry_attempts_wait_time: option.number({
    default: 0.5,
    doc: 'Seconds between two tries to run the statement.',
  }),
  jdbc_validate_connection: option.boolean(withoutEffect('each run has a connection of its own.', false)),
  jdbc_validation_timeout: option.number(withoutEffect('each run has a connection of its own.', 3600)),
  jdbc_pool_timeout: option.number({ default: 5, doc: 'Seconds to wait for a connection.' }),
  sql_log_level: option.oneOf(['fatal', 'error', 'warn', 'info', 'debug'] as const, {
    default: 'info',
    doc: 'Level at which statements are logged.',
  }),
  sequel_opts: statementOptions.sequel_opts,
}

export type JdbcOptions = OptionValues<typeof jdbcOptions>
