/** Opens users and roles at the start of a node, and adds the first user when its password is known. */
import { hideText } from '../log/hidden-texts.ts'
import { Logger } from '../log/logger.ts'
import { diskFiles } from '../storage/files.ts'
import { Security } from './security.ts'

/** The users both products have from the start, and the names under which their images take the password. */
export const firstUsers = {
  elasticsearch: { name: 'elastic', variable: 'ELASTIC_PASSWORD' },
  opensearch: { name: 'admin', variable: 'OPENSEARCH_INITIAL_ADMIN_PASSWORD' },
}

export interface FirstUserOptions {
  readonly path: string
  readonly auditsGranted: boolean
  readonly name: string
  /** Undefined when nobody gave one. */
  readonly password: string | undefined
}

export async function openWithFirstUser(options: FirstUserOptions): Promise<Security> {
  const { path, auditsGranted, name, password = '' } = options
  const logger = new Logger('millrace.security')
  const security = new Security({ files: diskFiles, path, auditsGranted })
  if (password !== '') {
    hideText(password)
    if (await security.bootstrap(name, password)) logger.info('The first user was added', { user: name })
  }
  if (security.state.users.size === 0)
    logger.warn(
      'Security is on, but there are no users: nobody can come in. Add one with: millrace user add NAME --role superuser',
    )
  return security
}
