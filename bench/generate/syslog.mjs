// Syslog lines in the traditional form (RFC 3164), about 95 bytes each, pure ASCII, as a mail and login host
// writes them.
import { seeded } from './random.mjs'

export const version = 1

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const hosts = ['web-01', 'web-02', 'mail-01', 'db-01', 'gateway']
const programs = [
  (random) => ['sshd', `Accepted publickey for deploy from ${address(random)} port ${port(random)} ssh2`],
  (random) => [
    'sshd',
    `Failed password for invalid user admin from ${address(random)} port ${port(random)} ssh2`,
  ],
  (random) => ['postfix/smtpd', `connect from client-${random.below(500)}.example.net[${address(random)}]`],
  (random) => ['CRON', `(root) CMD (test -x /usr/sbin/job-${random.below(40)} && run "daily")`],
  (random) => ['systemd', `Started session ${random.below(9000)} of user "deploy".`],
  (random) => ['kernel', `eth0: link up, ${random.pick([100, 1000, 10_000])} Mbps, full duplex`],
]

const address = (random) => `10.${random.below(256)}.${random.below(256)}.${random.below(256)}`
const port = (random) => 1024 + random.below(60_000)
const two = (number) => String(number).padStart(2, '0')

function stamp(millis) {
  const at = new Date(millis)
  const time = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`
  return `${months[at.getUTCMonth()]} ${String(at.getUTCDate()).padStart(2)} ${time}`
}

export function* lines(count, seed) {
  const random = seeded(seed)
  let millis = Date.UTC(2024, 1, 3, 4, 5, 6)
  for (let index = 0; index < count; index++) {
    millis += random.below(2000)
    const [program, said] = random.pick(programs)(random)
    const priority = random.below(24) * 8 + random.below(8)
    const origin = `${random.pick(hosts)} ${program}[${100 + random.below(32_000)}]`
    yield `<${priority}>${stamp(millis)} ${origin}: ${said}`
  }
}
