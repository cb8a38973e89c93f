/** The options of both kafka plugins that name certificates; `security.ts` reads them. */
import { option } from '../../plugin/define.ts'

export const kafkaTlsOptions = {
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
