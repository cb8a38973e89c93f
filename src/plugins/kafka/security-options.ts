/** The options of both kafka plugins about encryption and logins; `security.ts` reads them. */
import { option } from '../../plugin/define.ts'

export const kafkaSecurityOptions = {
  security_protocol: option.oneOf(['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL'] as const, {
    default: 'PLAINTEXT',
    doc: 'Whether to encrypt connections, and whether to authenticate.',
  }),
  sasl_mechanism: option.string({
    default: 'GSSAPI',
    doc: 'How to authenticate: `PLAIN`, `SCRAM-SHA-256` or `SCRAM-SHA-512`.',
  }),
  sasl_jaas_config: option.password({ doc: 'JAAS line; its `username` and `password` are used.' }),
  jaas_path: option.path({ doc: 'JAAS file, for its `username` and `password`, instead of that line.' }),
  ssl_truststore_location: option.path({ doc: 'Certificates of trusted authorities, a PEM file.' }),
  ssl_truststore_password: option.password({ doc: 'Not needed for PEM files.' }),
  ssl_truststore_type: option.string({ doc: 'Kind of the trust store; only `PEM` can be read.' }),
  ssl_keystore_location: option.path({ doc: 'Own certificate and key in one PKCS#12 file.' }),
  ssl_keystore_password: option.password({ doc: 'Password of the key store.' }),
  ssl_keystore_type: option.string({ doc: 'Kind of the key store; only `PKCS12` can be read.' }),
  ssl_key_password: option.password({ doc: 'Password of the key.' }),
  ssl_endpoint_identification_algorithm: option.string({
    default: 'https',
    doc: 'Empty: the name in the certificate of a broker is not checked.',
  }),
}
