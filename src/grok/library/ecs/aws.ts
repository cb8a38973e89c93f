/** Amazon Web Services: access logs of S3, of classic load balancers and of CloudFront. */
import { column, optional, orDash, spaced, tabbed } from '../field-list.ts'

/** Times of a load balancer are -1 when the request never got that far. */
const seconds = (part: string): string => `(?:-1|%{NUMBER:[aws][elb][${part}_processing_time][sec]:float})`

export const aws: Record<string, string> = {
  S3_REQUEST_LINE:
    '%{WORD:[http][request][method]} %{NOTSPACE:[url][original]}(?: HTTP/%{NUMBER:[http][version]})?',
  S3_ACCESS_LOG:
    spaced(
      '%{WORD:[aws][s3access][bucket_owner]}',
      '%{NOTSPACE:[aws][s3access][bucket]}',
      String.raw`\[%{HTTPDATE:timestamp}\]`,
      orDash('%{IP:[client][ip]}'),
      orDash('%{NOTSPACE:[client][user][id]}'),
      '%{NOTSPACE:[aws][s3access][request_id]}',
      '%{NOTSPACE:[aws][s3access][operation]}',
      orDash('%{NOTSPACE:[aws][s3access][key]}'),
      orDash('"%{S3_REQUEST_LINE:[aws][s3access][request_uri]}"'),
      orDash('%{INT:[http][response][status_code]:int}'),
      orDash('%{NOTSPACE:[aws][s3access][error_code]}'),
      orDash('%{INT:[aws][s3access][bytes_sent]:int}'),
      orDash('%{INT:[aws][s3access][object_size]:int}'),
      orDash('%{INT:[aws][s3access][total_time]:int}'),
      orDash('%{INT:[aws][s3access][turn_around_time]:int}'),
      `"${orDash('%{DATA:[http][request][referrer]}')}"`,
      `"${orDash('%{DATA:[user_agent][original]}')}"`,
      orDash('%{NOTSPACE:[aws][s3access][version_id]}'),
    ) +
    optional(
      ' ',
      spaced(
        orDash('%{NOTSPACE:[aws][s3access][host_id]}'),
        orDash('%{NOTSPACE:[aws][s3access][signature_version]}'),
        orDash('%{NOTSPACE:[tls][cipher]}'),
        orDash('%{NOTSPACE:[aws][s3access][authentication_type]}'),
        orDash('%{NOTSPACE:[aws][s3access][host_header]}'),
        orDash('%{NOTSPACE:[aws][s3access][tls_version]}'),
      ),
    ),
  ELB_URIHOST: '%{IPORHOST:[url][domain]}(?::%{POSINT:[url][port]:int})?',
  ELB_URIPATHQUERY: String.raw`%{URIPATH:[url][path]}(?:\?%{URIQUERY:[url][query]})?`,
  ELB_URIPATHPARAM: '%{ELB_URIPATHQUERY}',
  ELB_URI:
    '%{URIPROTO:[url][scheme]}://(?:%{USER:[url][username]}(?::[^@]*)?@)?(?:%{ELB_URIHOST})?(?:%{ELB_URIPATHQUERY})?',
  ELB_REQUEST_LINE:
    '%{WORD:[http][request][method]} %{ELB_URI:[url][original]}(?: HTTP/%{NUMBER:[http][version]})?',
  ELB_V1_HTTP_LOG:
    spaced(
      '%{TIMESTAMP_ISO8601:timestamp}',
      '%{NOTSPACE:[aws][elb][name]}',
      '%{IP:[source][ip]}:%{INT:[source][port]:int}',
      orDash('%{IP:[aws][elb][backend][ip]}:%{INT:[aws][elb][backend][port]:int}'),
      seconds('request'),
      seconds('backend'),
      seconds('response'),
      '%{INT:[http][response][status_code]:int}',
      orDash('%{INT:[aws][elb][backend][http][response][status_code]:int}'),
      '%{INT:[http][request][body][bytes]:int}',
      '%{INT:[http][response][body][bytes]:int}',
      '"%{ELB_REQUEST_LINE}"',
    ) +
    optional(
      ` "${orDash('%{DATA:[user_agent][original]}')}" `,
      spaced(orDash('%{NOTSPACE:[tls][cipher]}'), orDash('%{NOTSPACE:[aws][elb][ssl_protocol]}')),
    ),
  ELB_ACCESS_LOG: '%{ELB_V1_HTTP_LOG}',
  // The last column of each run of free columns takes what is too much for the others.
  CLOUDFRONT_ACCESS_LOG:
    tabbed(
      String.raw`(?<timestamp>%{YEAR}-%{MONTHNUM}-%{MONTHDAY}\t%{TIME})`,
      '%{WORD:[aws][cloudfront][x_edge_location]}',
      orDash('%{INT:[destination][bytes]:int}'),
      '%{IPORHOST:[source][ip]}',
      '%{WORD:[http][request][method]}',
      '%{HOSTNAME:[url][domain]}',
      '%{NOTSPACE:[url][path]}',
      '(?:000|%{INT:[http][response][status_code]:int})',
      orDash(column('[http][request][referrer]')),
      orDash(column('[user_agent][original]')),
      orDash(column('[url][query]')),
      orDash('%{DATA:[aws][cloudfront][http][request][cookie]}'),
      '%{WORD:[aws][cloudfront][x_edge_result_type]}',
      '%{NOTSPACE:[aws][cloudfront][x_edge_request_id]}',
      '%{HOSTNAME:[aws][cloudfront][http][request][host]}',
      '%{URIPROTO:[network][protocol]}',
      orDash('%{INT:[source][bytes]:int}'),
      '%{NUMBER:[aws][cloudfront][time_taken]:float}',
      orDash('%{IP:[network][forwarded_ip]}'),
      orDash('%{DATA:[aws][cloudfront][ssl_protocol]}'),
      orDash('%{NOTSPACE:[tls][cipher]}'),
      '%{WORD:[aws][cloudfront][x_edge_response_result_type]}',
    ) +
    optional(
      '\\t',
      tabbed(
        orDash('HTTP/%{NUMBER:[http][version]}'),
        orDash(column('[aws][cloudfront][fle_status]')),
        orDash('%{DATA:[aws][cloudfront][fle_encrypted_fields]}'),
        '%{INT:[source][port]:int}',
        '%{NUMBER:[aws][cloudfront][time_to_first_byte]:float}',
        orDash('%{DATA:[aws][cloudfront][x_edge_detailed_result_type]}'),
        orDash('%{NOTSPACE:[http][request][mime_type]}'),
        orDash('%{INT:[aws][cloudfront][http][request][size]:int}'),
        orDash('%{INT:[aws][cloudfront][http][request][range][start]:int}'),
        orDash('%{INT:[aws][cloudfront][http][request][range][end]:int}'),
      ),
    ),
}
