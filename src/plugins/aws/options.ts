/** Options that the plugins for Amazon's services share, and what of them the config check can say beforehand. */
import { packageConcern } from '../../plugin/concern.ts'
import {
  type Concern,
  type HashValue,
  type OptionValues,
  option,
  withoutEffect,
} from '../../plugin/define.ts'
import { credentialsPackage, packageNames, type ServiceName } from './packages.ts'

const none: HashValue = new Map()

export const awsOptions = {
  access_key_id: option.string({
    doc: 'Access key; without it, and without `aws_credentials_file`, the environment (`AWS_…`, `AMAZON_…`), the shared files of AWS and the role of the machine are asked, in this order.',
  }),
  secret_access_key: option.password({ doc: 'Secret that belongs to `access_key_id`.' }),
  session_token: option.password({ doc: 'Token of temporary credentials.' }),
  aws_credentials_file: option.string({
    doc: 'YAML file with `:access_key_id:`, `:secret_access_key:` and perhaps `:session_token:`, read when no key is given.',
  }),
  role_arn: option.string({
    doc: 'Role to assume with these credentials; needs the package `@aws-sdk/credential-providers`.',
  }),
  role_session_name: option.string({ default: 'logstash', doc: 'Name of the session of that role.' }),
  region: option.string({ default: 'us-east-1', doc: 'Region of the service.' }),
  endpoint: option.string({
    doc: 'Address of a service that speaks the same protocol; follows from the region unless given.',
  }),
  proxy_uri: option.string({ doc: 'Address of an HTTP proxy, `http://user:password@host:port`.' }),
  use_aws_bundled_ca: option.boolean(
    withoutEffect('the certificates of authorities are always those that Node.js brings along.', false),
  ),
}

/** For those plugins of Logstash that take them. */
export const additionalSettings = {
  additional_settings: option.hash({
    default: none,
    doc: 'Further settings of the client by the names of the AWS SDK for Ruby, such as `force_path_style`.',
  }),
}

export type AwsOptions = OptionValues<typeof awsOptions> & { readonly additional_settings?: HashValue }

/** The packages of services that are not installed, and half of a pair of keys. */
export function awsConcerns(options: AwsOptions, ...services: ServiceName[]): Concern[] {
  const concerns = services.flatMap((service) => packageConcern('region', packageNames[service]))
  if (options.role_arn !== undefined) concerns.push(...packageConcern('role_arn', credentialsPackage))
  if ((options.access_key_id === undefined) !== (options.secret_access_key === undefined)) {
    const message =
      'Likely config error: Only one of access_key_id or secret_access_key was provided but not both.'
    const named = options.access_key_id === undefined ? 'secret_access_key' : 'access_key_id'
    concerns.push({ option: named, message })
  }
  return concerns
}
