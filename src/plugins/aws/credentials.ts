/**
 * Who we are towards AWS, in the order of Logstash: keys of the configuration, the credentials file, the environment
 * under both names, and then the SDK's own search (shared files, role of the machine). A role is assumed with these.
 */
import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { loadPeer } from '../packages/peer-package.ts'
import type { AwsOptions } from './options.ts'
import { credentialsPackage } from './packages.ts'

interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

export type CredentialsOptions = Pick<
  AwsOptions,
  | 'access_key_id'
  | 'secret_access_key'
  | 'session_token'
  | 'aws_credentials_file'
  | 'role_arn'
  | 'role_session_name'
  | 'region'
> & {
  /** Section of the shared files of AWS. */
  readonly profile?: string | undefined
}

interface CredentialsPackage {
  fromTemporaryCredentials(settings: object): object
  fromIni(settings: object): object
}

/** What a client of the SDK takes as `credentials`; undefined leaves the search to the SDK. */
export async function credentialsFor(
  options: CredentialsOptions,
  requestHandler?: object,
): Promise<Credentials | object | undefined> {
  const own = (await ownCredentials(options)) ?? (await profileCredentials(options.profile))
  if (options.role_arn === undefined) return own
  const { fromTemporaryCredentials } = await loadPeer<CredentialsPackage>(
    credentialsPackage,
    'A role is reached',
    { member: 'fromTemporaryCredentials' },
  )
  return fromTemporaryCredentials({
    ...(own !== undefined && { masterCredentials: own }),
    params: { RoleArn: options.role_arn, RoleSessionName: options.role_session_name },
    clientConfig: { region: options.region, ...(requestHandler !== undefined && { requestHandler }) },
  })
}

async function ownCredentials(options: CredentialsOptions): Promise<Credentials | undefined> {
  const { access_key_id, secret_access_key, session_token, aws_credentials_file } = options
  if (access_key_id !== undefined && secret_access_key !== undefined) {
    return pair(access_key_id, secret_access_key.value, session_token?.value)
  }
  if (aws_credentials_file !== undefined) return readCredentials(aws_credentials_file)
  const { env } = process
  if (env['AWS_ACCESS_KEY_ID'] !== undefined) return undefined
  const [key, secret] = [env['AMAZON_ACCESS_KEY_ID'], env['AMAZON_SECRET_ACCESS_KEY']]
  if (key === undefined || secret === undefined) return undefined
  return pair(key, secret, env['AMAZON_SESSION_TOKEN'])
}

async function profileCredentials(profile: string | undefined): Promise<object | undefined> {
  if (profile === undefined) return undefined
  const { fromIni } = await loadPeer<CredentialsPackage>(credentialsPackage, 'A profile is reached', {
    member: 'fromIni',
  })
  return fromIni({ profile })
}

/** Logstash reads Ruby's symbols from the file, `:access_key_id:`; the plain names mean the same here. */
async function readCredentials(path: string): Promise<Credentials> {
  const read: unknown = parse(await readFile(path, 'utf8'))
  const texts = new Map(
    typeof read === 'object' && read !== null
      ? Object.entries(read).map(([name, value]) => [name.replace(/^:/, ''), String(value)])
      : [],
  )
  const [key, secret] = [texts.get('access_key_id'), texts.get('secret_access_key')]
  if (key === undefined || secret === undefined) {
    throw new Error(`The file ${path} does not name :access_key_id: and :secret_access_key:`)
  }
  return pair(key, secret, texts.get('session_token'))
}

function pair(accessKeyId: string, secretAccessKey: string, sessionToken: string | undefined): Credentials {
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) }
}
