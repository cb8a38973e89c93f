/** The options that the snmp and snmptrap inputs share, and what of them fits together. */
import { option, type Password } from '../../plugin/define.ts'
import type { OidFormat, OidMapping } from './oid-names.ts'

const formats = ['default', 'ruby_snmp', 'dotted_string'] as const
const authProtocols = [
  'md5',
  'sha',
  'sha2',
  'hmac128sha224',
  'hmac192sha256',
  'hmac256sha384',
  'hmac384sha512',
] as const
const privProtocols = ['des', '3des', 'aes', 'aes128', 'aes192', 'aes256', 'aes256with3desKey'] as const
const securityLevels = ['noAuthNoPriv', 'authNoPriv', 'authPriv'] as const

const mibOptions = {
  mib_paths: option.list(option.path({ doc: 'A file or a folder.' }), {
    default: [],
    doc: 'Files with names of OIDs, or folders of them: `.dic` of smidump, `.yaml` of ruby-snmp, or MIB modules as they are (`.mib`, `.my`, `.txt`).',
  }),
  oid_root_skip: option.number({
    default: 0,
    doc: 'How many identifiers of an OID are left out at the front of field names; with the format `default`.',
  }),
  oid_path_length: option.number({
    default: 0,
    doc: 'How many identifiers of an OID are kept at the end of field names, 0 for all; with the format `default`.',
  }),
  map_enum_values: option.boolean({
    default: false,
    doc: 'Whether numbers that a MIB gives names become these names.',
  }),
  target: option.fieldReference({ doc: 'Field that takes what was read; the event itself unless given.' }),
}

const userOptions = {
  security_name: option.string({ doc: 'Name of the user, for SNMPv3.' }),
  security_level: option.oneOf(securityLevels, {
    doc: 'Whether messages are authenticated, and whether they are encrypted, for SNMPv3.',
  }),
  auth_protocol: option.oneOf(authProtocols, {
    doc: 'How messages are authenticated; `sha2` is `hmac192sha256`.',
  }),
  auth_pass: option.password({ doc: 'Password for that, at least 8 characters.' }),
  priv_protocol: option.oneOf(privProtocols, {
    doc: 'How messages are encrypted; `3des` and `aes192` are not supported.',
  }),
  priv_pass: option.password({ doc: 'Password for that, at least 8 characters.' }),
}

/** What both inputs have, with defaults of their own for how OIDs are written. */
export function snmpOptions(defaults: { readonly format: OidFormat; readonly mapsValues: boolean }) {
  return {
    oid_mapping_format: option.oneOf(formats, {
      default: defaults.format,
      doc: 'How OIDs are written as field names: `default` with all names, `ruby_snmp` with module and last name, `dotted_string` with numbers.',
    }),
    oid_map_field_values: option.boolean({
      default: defaults.mapsValues,
      doc: 'Whether values that are OIDs are written in that way too.',
    }),
    ...mibOptions,
    ...userOptions,
  }
}

export interface UserChoice {
  readonly security_name: string | undefined
  readonly security_level: (typeof securityLevels)[number] | undefined
  readonly auth_protocol: (typeof authProtocols)[number] | undefined
  readonly auth_pass: Password | undefined
  readonly priv_protocol: (typeof privProtocols)[number] | undefined
  readonly priv_pass: Password | undefined
}

interface MappingChoice {
  readonly oid_mapping_format: OidFormat
  readonly oid_root_skip: number
  readonly oid_path_length: number
}

export interface SnmpChoice extends UserChoice, MappingChoice {}

/** Throws what Logstash says about options that contradict each other. */
export function mappingOf({ oid_mapping_format, oid_root_skip, oid_path_length }: MappingChoice): OidMapping {
  if (oid_mapping_format === 'default') {
    if (oid_root_skip > 0 && oid_path_length > 0)
      throw new Error('Use either `oid_root_skip` or `oid_path_length`')
  } else if (oid_root_skip > 0 || oid_path_length > 0) {
    throw new Error(
      'The `oid_root_skip` and `oid_path_length` requires setting `oid_mapping_format` to `default`',
    )
  }
  return { format: oid_mapping_format, rootSkip: oid_root_skip, pathLength: oid_path_length }
}

export function checkUser(options: UserChoice): void {
  const errors: string[] = []
  if (options.security_name === undefined) errors.push('`security_name` is required when SNMP v3 is enabled')
  const level = options.security_level
  checkProtocol('auth', options.auth_protocol, options.auth_pass, errors)
  if (options.auth_protocol === undefined && (level === 'authNoPriv' || level === 'authPriv'))
    errors.push(
      `Using \`security_level\` set to \`${level}\` requires the configuration of \`auth_protocol\``,
    )
  checkProtocol('priv', options.priv_protocol, options.priv_pass, errors)
  if (options.priv_protocol === undefined && level === 'authPriv')
    errors.push(
      `Using \`security_level\` set to \`${level}\` requires the configuration of \`priv_protocol\``,
    )
  if (options.priv_protocol === '3des' || options.priv_protocol === 'aes192')
    errors.push(`\`priv_protocol\` ${options.priv_protocol} is not supported: des, aes and aes256 are`)
  if (errors.length > 0) throw new Error(errors.join(', '))
}

function checkProtocol(
  kind: string,
  protocol: string | undefined,
  pass: Password | undefined,
  errors: string[],
): void {
  if (protocol !== undefined && pass === undefined)
    errors.push(`Using \`${kind}_protocol\` requires the \`${kind}_pass\``)
  if (protocol === undefined && pass !== undefined)
    errors.push(`\`${kind}_protocol\` is required when using \`${kind}_pass\``)
  if (pass !== undefined && pass.value.length < 8)
    errors.push(`\`${kind}_pass\` passphrase must be at least 8 bytes long`)
}
