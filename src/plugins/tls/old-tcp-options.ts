/** Names of TLS options that the tcp input and output had once. */
import { oldName, option } from '../../plugin/define.ts'

export const oldTcpTlsOptions = {
  ssl_enable: option.boolean(oldName('ssl_enabled')),
  ssl_cert: option.path(oldName('ssl_certificate')),
}
