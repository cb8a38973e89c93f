/** Options about key stores and trust stores, which are files of Java. */
import { option, withoutEffect } from '../../plugin/define.ts'

/** What stores of Java may call their own kind. */
export const storeTypes = ['pkcs12', 'jks'] as const
/** The same, for plugins that take it in capital letters too. */
export const storeTypesInAnyCase = ['pkcs12', 'jks', 'PKCS12', 'JKS'] as const

export const keystoreOptions = <const T extends readonly string[]>(types: T) => ({
  ssl_keystore_path: option.path({ doc: 'Own certificate and key in one PKCS#12 file.' }),
  ssl_keystore_password: option.password({ doc: 'Password of the key store.' }),
  ssl_keystore_type: option.oneOf(types, { doc: 'Kind of the key store; only `pkcs12` can be read.' }),
})

/** Trust stores of Java, which have no meaning here. */
export const truststoreOptions = <const T extends readonly string[]>(types: T) => ({
  ssl_truststore_path: option.path({
    doc: 'Java trust stores cannot be read; use `ssl_certificate_authorities`.',
  }),
  ssl_truststore_password: option.password(withoutEffect('trust stores cannot be read.')),
  ssl_truststore_type: option.oneOf(types, {
    doc: 'Accepted for compatibility; trust stores cannot be read.',
  }),
})
