/** Real databases in folders of their own, filled by their own command-line clients. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../support/millrace.ts'
import { commandPath, runCommand, ServerProcess, serverFolder, unprivileged } from './server-process.ts'

export interface TestDatabase {
  readonly port: number
  /** What goes into the options of the jdbc plugins. */
  readonly connection: string
  sql(text: string): string
  /** Ends the server without removing its data, and starts it again. */
  stop(): Promise<void>
  restart(): Promise<void>
  dispose(): Promise<void>
}

const postgresqlFolders = ['/usr/lib/postgresql/*/bin']

export async function startPostgresql(): Promise<TestDatabase> {
  const user = unprivileged()
  const folder = serverFolder('postgresql', user)
  const data = join(folder, 'data')
  const port = await freePort()
  const password = 'p@ss word'
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password)
  const login = ['-U', 'millrace', '--auth', 'scram-sha-256', '--pwfile', passwordFile]
  runCommand(commandPath('initdb', postgresqlFolders), ['-D', data, ...login, '-E', 'UTF8', '-N'], '', user)
  const start = () =>
    ServerProcess.start({
      command: commandPath('postgres', postgresqlFolders),
      args: ['-D', data, '-p', String(port), '-k', folder, '-h', '127.0.0.1', '-F', '-c', 'timezone=UTC'],
      folder,
      user,
      port,
    })
  let server = await start()
  const url = `postgresql://millrace:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`
  return {
    port,
    connection: `jdbc_connection_string => "jdbc:postgresql://127.0.0.1:${port}/postgres"
      jdbc_user => "millrace" jdbc_password => "${password}"
      jdbc_driver_library => "" jdbc_driver_class => "org.postgresql.Driver"`,
    sql: (text) => runCommand('psql', ['-qAt', '-v', 'ON_ERROR_STOP=1', url], text).trimEnd(),
    // A fast shutdown: connections are closed.
    stop: () => server.end('SIGINT'),
    async restart() {
      server = await start()
    },
    async dispose() {
      await server.end('SIGINT')
      await server.dispose()
    },
  }
}

export async function startMariadb(): Promise<TestDatabase> {
  const folder = serverFolder('mariadb')
  const data = join(folder, 'data')
  mkdirSync(data)
  const port = await freePort()
  const socket = join(folder, 'socket')
  const asRoot = process.getuid?.() === 0 ? ['--user=root'] : []
  runCommand('mariadb-install-db', [
    '--no-defaults',
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    ...asRoot,
  ])
  const start = () =>
    ServerProcess.start({
      command: commandPath('mariadbd'),
      args: [
        '--no-defaults',
        `--datadir=${data}`,
        `--port=${port}`,
        '--bind-address=127.0.0.1',
        `--socket=${socket}`,
        `--pid-file=${join(folder, 'pid')}`,
        ...asRoot,
      ],
      folder,
      port,
    })
  let server = await start()
  const sql = (text: string) =>
    runCommand(
      'mariadb',
      ['--no-defaults', `--socket=${socket}`, '-uroot', '-N', '--default-character-set=utf8mb4'],
      text,
    ).trimEnd()
  sql(`CREATE DATABASE shop CHARACTER SET utf8mb4; CREATE USER 'millrace'@'%' IDENTIFIED BY 'p@ss word';
    GRANT ALL ON shop.* TO 'millrace'@'%';`)
  return {
    port,
    connection: `jdbc_connection_string => "jdbc:mysql://127.0.0.1:${port}/shop?useSSL=false"
      jdbc_user => "millrace" jdbc_password => "p@ss word"
      jdbc_driver_library => "" jdbc_driver_class => "com.mysql.jdbc.Driver"`,
    sql: (text) => sql(`USE shop;\n${text}`),
    stop: () => server.end(),
    async restart() {
      server = await start()
    },
    dispose: () => server.dispose(),
  }
}
