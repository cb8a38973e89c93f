/** Options of the jdbc filters that say which database to ask. */
import { option } from '../../plugin/define.ts'

export const lookupConnectionOptions = {
  jdbc_connection_string: option.string({
    required: true,
    doc: 'Where the database is, such as `jdbc:postgresql://host:5432/name`.',
  }),
  jdbc_driver_class: option.string({
    doc: 'Accepted for compatibility; the connection string says which driver to use.',
  }),
  jdbc_driver_library: option.string({
    doc: 'Accepted for compatibility; the packages `pg` and `mysql2` are the drivers.',
  }),
  jdbc_user: option.string({ doc: 'Name of the user.' }),
  jdbc_password: option.password({ doc: 'Password of the user.' }),
}
