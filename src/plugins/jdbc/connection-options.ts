/** Options of the jdbc input and filters that say which database to ask. */
import { option, withoutEffect } from '../../plugin/define.ts'

export const connectionOptions = {
  jdbc_connection_string: option.string({
    required: true,
    doc: 'Where the database is: `jdbc:postgresql://host:5432/name` or `jdbc:mysql://host:3306/name`.',
  }),
  jdbc_user: option.string({ doc: 'Name of the user.' }),
  jdbc_password: option.password({ doc: 'Password of the user.' }),
  jdbc_driver_library: option.string(withoutEffect('the packages `pg` and `mysql2` are the drivers.')),
  jdbc_driver_class: option.string(withoutEffect('the connection string says which driver to use.')),
}

/** Options of plugins that run a statement of their user. */
export const statementOptions = {
  use_prepared_statements: option.boolean({
    default: false,
    doc: 'Whether `?` in the statement stands for the values of `prepared_statement_bind_values`.',
  }),
  sequel_opts: option.hash(withoutEffect('they belong to the Ruby library that Logstash uses.', new Map())),
}
