/** The options of filters that ask a server: those of the http output's client. */
import { httpOptions } from '../../outputs/http-options.ts'

const {
  url: _url,
  http_method: _method,
  format: _format,
  message: _message,
  mapping: _mapping,
  headers: _headers,
  content_type: _contentType,
  http_compression: _compression,
  retry_failed: _retryFailed,
  retryable_codes: _retryable,
  ignorable_codes: _ignorable,
  ...clientOptions
} = httpOptions

export { clientOptions }
