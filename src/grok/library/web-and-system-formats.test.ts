/** Log formats of web servers and systems, one line each, in the field names of both sets. */
import { describe, expect, it } from 'vitest'
import type { PatternSet } from './index.ts'
import { searchLine } from './search-line.ts'

/** The fields of a line that the pattern must match whole, `field` or `field:cast` to text. */
function fieldsOf(set: PatternSet, name: string, line: string): Record<string, string> {
  const { match, captures } = searchLine(set, `%{${name}}`, line)
  expect(match).toBe(line)
  return Object.fromEntries(
    captures.map(([field, cast, text]) => [cast === null ? field : `${field}:${cast}`, text]),
  )
}

describe('Apache httpd', () => {
  const combined =
    '192.0.2.7 - frank [10/Oct/2000:13:55:36 -0700] "GET /a.gif?b=c HTTP/1.0" 200 2326 "http://example.org/" "Mozilla/4.08 [en]"'
  it('combined access log', () => {
    expect(fieldsOf('legacy', 'COMBINEDAPACHELOG', combined)).toEqual({
      clientip: '192.0.2.7',
      ident: '-',
      auth: 'frank',
      timestamp: '10/Oct/2000:13:55:36 -0700',
      verb: 'GET',
      request: '/a.gif?b=c',
      httpversion: '1.0',
      response: '200',
      bytes: '2326',
      referrer: '"http://example.org/"',
      agent: '"Mozilla/4.08 [en]"',
    })
    expect(fieldsOf('ecs-v1', 'COMBINEDAPACHELOG', combined)).toEqual({
      '[source][address]': '192.0.2.7',
      '[user][name]': 'frank',
      timestamp: '10/Oct/2000:13:55:36 -0700',
      '[http][request][method]': 'GET',
      '[url][original]': '/a.gif?b=c',
      '[http][version]': '1.0',
      '[http][response][status_code]:int': '200',
      '[http][response][body][bytes]:int': '2326',
      '[http][request][referrer]': 'http://example.org/',
      '[user_agent][original]': 'Mozilla/4.08 [en]',
    })
  })
  it('a request that is none', () => {
    const line = '2001:db8::1 - - [10/Oct/2000:13:55:36 -0700] "\\x16\\x03" 400 -'
    expect(fieldsOf('legacy', 'HTTPD_COMMONLOG', line)).toMatchObject({
      clientip: '2001:db8::1',
      rawrequest: '\\x16\\x03',
      response: '400',
    })
  })
  it('error log with an error of the proxy', () => {
    const line =
      '[Mon Aug 31 09:30:48.958285 2015] [proxy_fcgi:error] [pid 28787:tid 1401] (70008)Partial results: [client 192.0.2.1:59307] AH01075: Error dispatching'
    expect(fieldsOf('ecs-v1', 'HTTPD_ERRORLOG', line)).toEqual({
      timestamp: 'Mon Aug 31 09:30:48.958285 2015',
      '[apache][error][module]': 'proxy_fcgi',
      '[log][level]': 'error',
      '[process][pid]:int': '28787',
      '[process][thread][id]:int': '1401',
      '[apache][error][proxy][error][code]': '70008',
      '[apache][error][proxy][error][message]': 'Partial results',
      '[source][address]': '192.0.2.1',
      '[source][port]:int': '59307',
      '[error][code]': 'AH01075',
      message: 'Error dispatching',
    })
  })
})

describe('syslog', () => {
  it('BSD line with facility', () => {
    const line = 'Jan  2 03:04:05 <4.6> web-1.example.org sshd[42]: Accepted'
    const { match, captures } = searchLine('legacy', '%{SYSLOGBASE}', line)
    expect(match).toBe('Jan  2 03:04:05 <4.6> web-1.example.org sshd[42]:')
    expect(Object.fromEntries(captures.map(([field, , text]) => [field, text]))).toEqual({
      timestamp: 'Jan  2 03:04:05',
      facility: '4',
      priority: '6',
      logsource: 'web-1.example.org',
      program: 'sshd',
      pid: '42',
    })
    expect(fieldsOf('ecs-v1', 'SYSLOGLINE', line)).toMatchObject({
      '[log][syslog][facility][code]:int': '4',
      '[log][syslog][priority]:int': '6',
      '[process][pid]:int': '42',
      message: 'Accepted',
    })
  })
  it('RFC 5424 line with several elements of structured data', () => {
    const line = '<165>1 2003-10-11T22:14:15.003Z mymachine evntslog 7 ID47 [a b="c"][d e="f"] An event'
    expect(fieldsOf('legacy', 'SYSLOG5424LINE', line)).toEqual({
      syslog5424_pri: '165',
      syslog5424_ver: '1',
      syslog5424_ts: '2003-10-11T22:14:15.003Z',
      syslog5424_host: 'mymachine',
      syslog5424_app: 'evntslog',
      syslog5424_proc: '7',
      syslog5424_msgid: 'ID47',
      syslog5424_sd: '[a b="c"][d e="f"]',
      syslog5424_msg: 'An event',
    })
  })
  it('PAM session and cron', () => {
    expect(
      fieldsOf(
        'legacy',
        'SYSLOGPAMSESSION',
        'Jan  2 03:04:05 web su[1]: pam_unix(su:session): session opened for user root by me',
      ),
    ).toMatchObject({
      pam_module: 'pam_unix',
      pam_caller: 'su:session',
      pam_session_state: 'opened',
      username: 'root',
      pam_by: 'me',
      message: 'pam_unix(su:session): session opened for user root by me',
    })
    expect(
      fieldsOf('ecs-v1', 'CRONLOG', 'Jan  2 03:04:05 web CROND[2]: (root) CMD (/bin/true)'),
    ).toMatchObject({ '[user][name]': 'root', '[system][cron][action]': 'CMD', message: '/bin/true' })
  })
})

describe('Amazon Web Services', () => {
  it('S3 with the fields of newer versions', () => {
    const line =
      '79a5 bucket [06/Feb/2019:00:00:38 +0000] 192.0.2.3 79a5 3E57 REST.GET.BUCKETPOLICY - "GET /bucket?policy HTTP/1.1" 404 NoSuchBucketPolicy 297 - 38 12 "-" "curl/7" - hostid= SigV4 ECDHE-RSA AuthHeader bucket.s3.example.org TLSv1.2'
    expect(fieldsOf('ecs-v1', 'S3_ACCESS_LOG', line)).toMatchObject({
      '[aws][s3access][operation]': 'REST.GET.BUCKETPOLICY',
      '[aws][s3access][request_uri]': 'GET /bucket?policy HTTP/1.1',
      '[http][response][status_code]:int': '404',
      '[aws][s3access][error_code]': 'NoSuchBucketPolicy',
      '[aws][s3access][bytes_sent]:int': '297',
      '[aws][s3access][total_time]:int': '38',
      '[aws][s3access][turn_around_time]:int': '12',
      '[user_agent][original]': 'curl/7',
      '[aws][s3access][host_id]': 'hostid=',
      '[tls][cipher]': 'ECDHE-RSA',
      '[aws][s3access][tls_version]': 'TLSv1.2',
    })
  })
  it('CloudFront', () => {
    const line =
      '2019-12-04\t21:02:31\tLAX1\t392\t192.0.2.100\tGET\td1.cloudfront.net\t/index.html\t200\t-\tMozilla/5.0\t-\t-\tHit\tSOX4==\tcdn.example.org\thttps\t23\t0.001\t-\tTLSv1.2\tECDHE\tHit'
    const newer = `${line}\tHTTP/2.0\t-\t-\t11040\t0.002\tHit\ttext/html\t78\t-\t-`
    expect(fieldsOf('legacy', 'CLOUDFRONT_ACCESS_LOG', line)).toMatchObject({
      timestamp: '2019-12-04\t21:02:31',
      referrer: '-',
      agent: 'Mozilla/5.0',
      'time_taken:float': '0.001',
      ssl_cipher: 'ECDHE',
    })
    expect(fieldsOf('ecs-v1', 'CLOUDFRONT_ACCESS_LOG', newer)).toEqual({
      timestamp: '2019-12-04\t21:02:31',
      '[aws][cloudfront][x_edge_location]': 'LAX1',
      '[destination][bytes]:int': '392',
      '[source][ip]': '192.0.2.100',
      '[http][request][method]': 'GET',
      '[url][domain]': 'd1.cloudfront.net',
      '[url][path]': '/index.html',
      '[http][response][status_code]:int': '200',
      '[user_agent][original]': 'Mozilla/5.0',
      '[aws][cloudfront][x_edge_result_type]': 'Hit',
      '[aws][cloudfront][x_edge_request_id]': 'SOX4==',
      '[aws][cloudfront][http][request][host]': 'cdn.example.org',
      '[network][protocol]': 'https',
      '[source][bytes]:int': '23',
      '[aws][cloudfront][time_taken]:float': '0.001',
      '[aws][cloudfront][ssl_protocol]': 'TLSv1.2',
      '[tls][cipher]': 'ECDHE',
      '[aws][cloudfront][x_edge_response_result_type]': 'Hit',
      '[http][version]': '2.0',
      '[source][port]:int': '11040',
      '[aws][cloudfront][time_to_first_byte]:float': '0.002',
      '[aws][cloudfront][x_edge_detailed_result_type]': 'Hit',
      '[http][request][mime_type]': 'text/html',
      '[aws][cloudfront][http][request][size]:int': '78',
    })
  })
})

describe('HAProxy', () => {
  it('TCP', () => {
    const line =
      'Sep 20 15:44:23 lb haproxy[25457]: 127.0.0.1:40962 [20/Sep/2018:15:44:23.285] main app/<NOSRV> -1/-1/1 0 SC 1/1/0/0/0 0/0'
    expect(fieldsOf('legacy', 'HAPROXYTCP', line)).toMatchObject({
      server_name: '<NOSRV>',
      time_queue: '-1',
      bytes_read: '0',
      termination_state: 'SC',
    })
    const fields = fieldsOf('ecs-v1', 'HAPROXYTCP', line)
    expect(fields).toMatchObject({ '[haproxy][backend_name]': 'app', '[haproxy][total_time_ms]': '1' })
    expect(fields).not.toHaveProperty('[haproxy][server_name]')
  })
  it('HTTP with a request that was cut off, and CONNECT', () => {
    const start =
      '192.0.2.1:59968 [31/Jul/2017:22:20:22.447] lb default/i8 135/0/1/19/156 200 1015 - - --VR 8/8/0/0/0 0/0'
    expect(fieldsOf('legacy', 'HAPROXYHTTPBASE', `${start} "GET /long`)).toMatchObject({
      http_request: '/long',
    })
    expect(fieldsOf('ecs-v1', 'HAPROXYHTTPBASE', `${start} "CONNECT localhost:8080 HTTP/1.1"`)).toMatchObject(
      {
        '[http][request][method]': 'CONNECT',
        '[url][original]': 'localhost:8080',
        '[url][domain]': 'localhost',
        '[url][port]:int': '8080',
      },
    )
  })
})

describe('Java', () => {
  it('stack traces', () => {
    expect(fieldsOf('legacy', 'JAVASTACKTRACEPART', '\tat a.b.C$1.<init>(Native Method)')).toEqual({
      class: 'a.b.C$1',
      method: '<init>',
      file: 'Native Method',
    })
  })
  it('Tomcat', () => {
    const line = '2014-01-09 20:03:28,269 -0800 | ERROR | com.example.Service - unexpected'
    expect(fieldsOf('legacy', 'TOMCATLOG', line)).toEqual({
      timestamp: '2014-01-09 20:03:28,269 -0800',
      level: 'ERROR',
      class: 'com.example.Service',
      logmessage: 'unexpected',
    })
    expect(fieldsOf('ecs-v1', 'TOMCATLOG', line)).toEqual({
      timestamp: '2014-01-09 20:03:28,269 -0800',
      '[log][level]': 'ERROR',
      '[java][log][origin][class][name]': 'com.example.Service',
      message: 'unexpected',
    })
  })
})

describe('BIND', () => {
  it('query log', () => {
    const line =
      '30-Jun-2018 15:50:00.999 queries: info: client @0x7f64 192.0.2.48#60061 (91.in-addr.arpa): query: 91.in-addr.arpa IN PTR +E(0)K (192.0.2.2)'
    const { captures } = searchLine('legacy', '%{BIND9}', line)
    expect(captures.filter(([field]) => field === 'query').map(([, , text]) => text)).toEqual([
      '91.in-addr.arpa',
      '91.in-addr.arpa',
    ])
    expect(fieldsOf('legacy', 'BIND9', line)).toMatchObject({ querytype: 'PTR +E(0)K', dns: '192.0.2.2' })
    expect(fieldsOf('ecs-v1', 'BIND9', line)).toMatchObject({
      '[bind][log][category]': 'queries',
      '[dns][question][class]': 'IN',
      '[dns][question][type]': 'PTR',
      '[bind][log][question][flags]': '+E(0)K',
      '[server][ip]': '192.0.2.2',
    })
  })
})

describe('Zeek', () => {
  it('DNS with the time to the answer', () => {
    const line =
      '1359565680.761790\tCHhA\t192.0.2.10\t53209\t192.0.2.36\t53\tudp\t41477\t0.075138\texample.org\t1\tC_INTERNET\t48\tDNSKEY\t0\tNOERROR\tF\tF\tT\tT\t1\tDNSKEY 5\t455.000000\tF'
    expect(fieldsOf('ecs-v1', 'ZEEK_DNS', line)).toMatchObject({
      '[zeek][dns][rtt]:float': '0.075138',
      '[dns][question][name]': 'example.org',
      '[dns][response_code]': 'NOERROR',
      '[zeek][dns][RD]': 'T',
      '[zeek][dns][answers]': 'DNSKEY 5',
      '[zeek][dns][TTLs]': '455.000000',
    })
  })
  it('connections with addresses of the link layer', () => {
    const line =
      '1128727435.6\tCHhA\t192.0.2.1\t5\t192.0.2.2\t80\ttcp\thttp\t1.5\t98\t9417\tSF\t-\t-\t0\t^hA\t11\t670\t10\t9945\t-\t00:d0:03:3b:f4:00\t00:b0:c2:86:ec:00'
    expect(fieldsOf('ecs-v1', 'ZEEK_CONN', line)).toMatchObject({
      '[source][mac]': '00:d0:03:3b:f4:00',
      '[destination][mac]': '00:b0:c2:86:ec:00',
    })
  })
})

describe('Exim', () => {
  it('an arriving message keeps the fields of the whole run', () => {
    const line =
      '2014-08-10 11:18:46 [28107] 1XGX0R-0004Kx-0K <= ann@example.org H=localhost (10.5.40.204) [127.0.0.1]:39753 I=[127.0.0.1]:25 P=esmtpa A=plain:ann S=4315 M8S=0 id=d2b6@example.org T="what\'s \\"P=up\\"?" from <ann@example.org> for bob+x@example.net'
    expect(fieldsOf('legacy', 'EXIM', line)).toEqual({
      timestamp: '2014-08-10 11:18:46',
      exim_year: '2014',
      exim_month: '08',
      exim_day: '10',
      exim_time: '11:18:46',
      pid: '28107',
      exim_msgid: '1XGX0R-0004Kx-0K',
      exim_flags: '<=',
      exim_sender_email: 'ann@example.org',
      remote_hostname: 'localhost',
      remote_heloname: '10.5.40.204',
      remote_host: '127.0.0.1',
      remote_port: '39753',
      exim_interface: '127.0.0.1',
      exim_interface_port: '25',
      protocol: 'esmtpa',
      exim_msg_size: '4315',
      exim_header_id: 'd2b6@example.org',
      exim_subject: '"what\'s \\"P=up\\"?"',
      exim_sender_original: 'ann@example.org',
      exim_recipient_email: 'bob+x@example.net',
    })
    expect(fieldsOf('ecs-v1', 'EXIM', line)).toMatchObject({
      '[source][address]': 'localhost',
      '[exim][log][remote_address]': '10.5.40.204',
      '[destination][port]:int': '25',
      '[network][protocol]': 'esmtpa',
      '[exim][log][message][size]:int': '4315',
      '[exim][log][message][subject]': 'what\'s \\"P=up\\"?',
      '[exim][log][recipient][email]': 'bob+x@example.net',
    })
  })
})
