/** Names of TLS options that the tcp input and output had once. */
import { option } from '../../plugin/define.ts'

export const oldTcpTlsOptions = {
  ssl_enable: option.boolean({
    doc: 'Old name of `ssl_enabled`.',
    obsolete: "Use 'ssl_enabled' instead.",
  }),
  ssl_cert: option.path({
    doc: 'Old name of `ssl_certificate`.',
    obsolete: "Use 'ssl_certificate' instead.",
  }),
}
