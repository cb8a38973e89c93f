// Tests that need more than Node and the npm registry. Each says what it needs; what cannot be had is
// installed from Debian's packages when that is possible, and named as skipped otherwise.
// Usage: npm run test:extra [-- WORD...]: only the tests whose names contain one of the words.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const temporary = resolve('.tmp')
const installed = join(temporary, 'installed')
const clients = join(temporary, 'clients')
const kafkaJars = join(temporary, 'kafka')
const lumber = join(temporary, 'lumber')
const moto = join(temporary, 'moto')
const chart = join(temporary, 'chart')

const build = own(['npm', 'run', '--silent', 'build'])
const bundle = (entry, file) => own(['npx', 'rolldown', entry, '--file', file, '--platform', 'node'])
const vitest = (...files) => ['npx', 'vitest', 'run', ...files]
const extra = (file) => [...vitest('--config', 'test/extra/vitest.config.ts'), file]

const peers = [
  ...['pg', 'mysql2', 'node-sqlite3-wasm', '@platformatic/kafka@1', '@ruby/wasm-wasi', '@ruby/3.4-wasm-wasi'],
  ...['amqplib@2', 'net-snmp@3', 'imapflow@2.0'],
]
const aws = ['s3', 'sqs', 'sns', 'cloudwatch', 'kinesis'].map((service) => `@aws-sdk/client-${service}`)
const ruby = { command: 'ruby', debian: 'ruby' }

const extras = [
  {
    // MILLRACE_SMOKE=1 runs a part of the test command only, where all of it runs elsewhere.
    name: 'first-minute: a fresh clone, its commands, its package, odd surroundings',
    needs: [
      { command: 'git', debian: 'git' },
      { command: 'curl', debian: 'curl' },
    ],
    run: extra('test/extra/first-minute'),
    isOwnBuild: true,
  },
  {
    name: 'hostile: every row of the tables of attacks, against the program in a memory cgroup of 512 MB',
    // Rows whose tools are missing are named as skipped in the table.
    wants: [
      { command: 'cc', debian: 'gcc libc6-dev' },
      { command: 'faketime', debian: 'faketime' },
      { command: 'prlimit', debian: 'util-linux' },
    ],
    prepare: [build, emptyTable],
    run: extra('test/extra/hostile'),
    isOwnBuild: true,
    shows: '.tmp/hostile/table.md',
  },
  {
    // MILLRACE_PICTURES names a folder for what it sees; MILLRACE_DOCS_PICTURES=1 makes those of the docs anew.
    name: 'ui: the dashboard in a real browser',
    needs: [{ command: 'chromium', debian: 'chromium fonts-dejavu-core' }],
    wants: [{ command: 'pngquant', debian: 'pngquant' }],
    prepare: [build],
    run: extra('test/extra/ui'),
    isOwnBuild: true,
  },
  {
    name: 'regular expressions against a real Ruby',
    needs: [ruby],
    prepare: [bundle('src/regex/pattern.ts', '.tmp/regex.mjs')],
    run: ['node', 'test/extra/regex-differential.mjs', '--engine', '.tmp/regex.mjs'],
  },
  {
    name: 'the grok library against a real Ruby',
    needs: [ruby],
    prepare: [bundle('test/extra/grok-engine.ts', '.tmp/grok.mjs')],
    run: ['node', 'test/extra/grok-differential.mjs', '--engine', '.tmp/grok.mjs'],
  },
  {
    name: 'the ruby filter against a real Ruby',
    needs: [ruby],
    prepare: [bundle('src/ruby/program.ts', '.tmp/ruby.mjs')],
    run: ['node', 'test/extra/ruby-differential.mjs', '--engine', '.tmp/ruby.mjs'],
  },
  {
    name: 'the ruby filter against Ruby in WebAssembly',
    prepare: [install, bundle('test/extra/ruby-engines.ts', '.tmp/installed/ruby-engines.mjs')],
    run: ['node', 'test/extra/ruby-wasm-differential.mjs', '--engine', '.tmp/installed/ruby-engines.mjs'],
  },
  {
    name: 'the ruby filter in WebAssembly, on events',
    prepare: [install],
    run: extra('test/extra/ruby-wasm.extra.ts'),
  },
  {
    name: 'redis plugins with a real Redis',
    needs: [{ command: 'redis-server', debian: 'redis-server' }],
    prepare: [install],
    run: extra('test/extra/servers/redis.extra.ts'),
  },
  {
    name: 'jdbc with a real PostgreSQL',
    needs: [
      { command: 'initdb', debian: 'postgresql' },
      { command: 'psql', debian: 'postgresql-client' },
    ],
    prepare: [install],
    run: extra('test/extra/servers/postgresql.extra.ts'),
  },
  {
    name: 'jdbc with a real MariaDB',
    needs: [{ command: 'mariadbd', debian: 'mariadb-server' }],
    prepare: [install],
    run: extra('test/extra/servers/mariadb.extra.ts'),
  },
  {
    name: 'plugins: the memcached filter with a real memcached',
    needs: [{ command: 'memcached', debian: 'memcached' }],
    run: extra('test/extra/plugins/memcached.extra.ts'),
  },
  {
    name: 'plugins: the collectd codec with a real collectd',
    needs: [{ command: 'collectd', debian: 'collectd-core' }],
    run: extra('test/extra/plugins/collectd.extra.ts'),
  },
  {
    name: 'plugins: the influxdb output with a real InfluxDB',
    needs: [{ command: 'influxd', debian: 'influxdb' }],
    run: extra('test/extra/plugins/influxdb.extra.ts'),
  },
  {
    name: 'plugins: SQLite through the packages for it',
    prepare: [install],
    run: extra('test/extra/plugins/sqlite.extra.ts'),
    env: { MILLRACE_INSTALLED: installed },
  },
  {
    name: "plugins: the xml filter beside Ruby's XmlSimple",
    needs: [ruby],
    prepare: [
      ['sh', '-c', 'ruby -rxmlsimple -e 1 || apt-get install -y --no-install-recommends ruby-xml-simple'],
    ],
    run: extra('test/extra/plugins/xml.extra.ts'),
  },
  {
    // MILLRACE_COUNT sets how many expressions are tried.
    name: "plugins: the xml filter's expressions beside Ruby's Nokogiri",
    needs: [ruby],
    prepare: [
      ['sh', '-c', 'ruby -rnokogiri -e 1 || apt-get install -y --no-install-recommends ruby-nokogiri'],
    ],
    run: extra('test/extra/plugins/xpath.extra.ts'),
  },
  {
    name: 'syslog and tcp inputs with a real rsyslog',
    needs: [
      { command: 'rsyslogd', debian: 'rsyslog' },
      { command: 'logger', debian: 'bsdutils' },
    ],
    prepare: [install],
    run: extra('test/extra/servers/rsyslog.extra.ts'),
  },
  {
    name: 'beats input with the client library of Beats',
    needs: [{ command: 'go', debian: 'golang-go' }],
    prepare: [install, ['go', 'build', '-C', 'test/extra/lumber', '-o', lumber, '.']],
    run: extra('test/extra/servers/beats.extra.ts'),
    env: { MILLRACE_LUMBER: lumber },
  },
  {
    name: 'kafka plugins with a real Kafka',
    needs: [
      { command: 'java', debian: 'default-jre-headless' },
      { command: 'mvn', debian: 'maven' },
    ],
    prepare: [
      install,
      // biome-ignore format: one command
      ['mvn', '-q', '-B', '-f', 'test/extra/kafka/pom.xml', 'dependency:copy-dependencies', `-DoutputDirectory=${kafkaJars}`],
    ],
    run: extra('test/extra/servers/kafka.extra.ts'),
    env: { MILLRACE_KAFKA_JARS: kafkaJars },
  },
  {
    name: 'plugins: rabbitmq with a real RabbitMQ, killed in the middle',
    needs: [{ command: 'rabbitmq-server', debian: 'rabbitmq-server' }],
    prepare: [install],
    run: extra('test/extra/plugins/rabbitmq.extra.ts'),
  },
  {
    name: 'plugins: relp with a real rsyslog',
    needs: [{ command: 'rsyslogd', file: '/usr/lib/*/rsyslog/omrelp.so', debian: 'rsyslog rsyslog-relp' }],
    prepare: [install],
    run: extra('test/extra/plugins/relp.extra.ts'),
  },
  {
    name: 'plugins: snmp and snmptrap with Net-SNMP',
    needs: [
      { command: 'snmpd', debian: 'snmpd' },
      { command: 'snmptrap', debian: 'snmp' },
    ],
    prepare: [install],
    run: extra('test/extra/plugins/snmp.extra.ts'),
  },
  {
    name: 'plugins: ganglia with a real gmond',
    needs: [{ command: 'gmond', debian: 'ganglia-monitor' }],
    prepare: [install],
    run: extra('test/extra/plugins/ganglia.extra.ts'),
  },
  {
    name: 'plugins: imap with a real Dovecot',
    needs: [{ command: 'dovecot', debian: 'dovecot-imapd' }],
    prepare: [install],
    run: extra('test/extra/plugins/imap.extra.ts'),
  },
  {
    // MILLRACE_COUNT sets how many events are sent.
    name: 'plugins: two nodes by logstash and gelf, the receiver killed in the middle',
    prepare: [install],
    run: extra('test/extra/plugins/pairs.extra.ts'),
  },
  {
    // MILLRACE_COUNT sets how many events are sent.
    name: 'plugins: Redis, PostgreSQL, InfluxDB and memcached, killed in the middle',
    needs: [
      { command: 'redis-server', debian: 'redis-server' },
      { command: 'initdb', debian: 'postgresql' },
      { command: 'psql', debian: 'postgresql-client' },
      { command: 'influxd', debian: 'influxdb' },
      { command: 'memcached', debian: 'memcached' },
    ],
    prepare: [install],
    run: extra('test/extra/plugins/killed-servers.extra.ts'),
  },
  {
    // MILLRACE_COUNT sets how many events go each way.
    name: "plugins: Amazon's services, as moto speaks them",
    needs: [{ command: 'python3', debian: 'python3 python3-venv' }],
    prepare: [install, installMoto],
    run: extra('test/extra/plugins/aws.extra.ts'),
    env: { MILLRACE_MOTO: join(moto, 'bin', 'python3') },
  },
  {
    name: 'the official clients of Elasticsearch and OpenSearch',
    prepare: [install, installClients],
    run: extra('test/extra/clients/search-clients.extra.ts'),
    env: { MILLRACE_CLIENTS: clients },
  },
  {
    name: 'logging in with the official clients of Elasticsearch and OpenSearch',
    prepare: [install, installClients],
    run: extra('test/extra/clients/security-clients.extra.ts'),
    env: { MILLRACE_CLIENTS: clients },
  },
  {
    name: 'a dead receiver and a blocked pipeline for a whole minute',
    run: vitest('test/contract/shutdown.test.ts', 'test/contract/monitoring-health.test.ts'),
    env: { MILLRACE_LONG: '1' },
    isOwnBuild: true,
  },
  {
    name: 'deploy: alert rules and the Grafana dashboard with a real Prometheus',
    needs: [{ command: 'prometheus', debian: 'prometheus' }],
    prepare: [build],
    run: extra('test/extra/deploy/monitoring.extra.ts'),
    isOwnBuild: true,
  },
  {
    name: 'deploy: the units, as systemd reads them',
    needs: [{ command: 'systemd-analyze', debian: 'systemd' }],
    run: extra('test/extra/deploy/units.extra.ts'),
    isOwnBuild: true,
  },
  {
    name: 'deploy: the chart, as Helm renders it and Kubernetes reads it',
    needs: [{ command: 'go', debian: 'golang-go' }],
    prepare: [['go', 'build', '-C', 'test/extra/helm', '-o', chart, '.']],
    run: extra('test/extra/deploy/chart.extra.ts'),
    env: { MILLRACE_CHART: chart },
    isOwnBuild: true,
  },
  {
    name: 'deploy: the steps of the Dockerfile in roots of their own, and the image as a container',
    needs: [
      { command: 'debootstrap', debian: 'debootstrap' },
      { command: 'unshare', debian: 'util-linux' },
      { command: 'ip', debian: 'iproute2' },
    ],
    prepare: [root],
    run: extra('test/extra/deploy/image.extra.ts'),
    isOwnBuild: true,
  },
  {
    name: 'metrics as Prometheus reads them',
    needs: [{ command: 'promtool', debian: 'prometheus' }],
    prepare: [build],
    run: ['node', 'test/extra/promtool.mjs'],
    isOwnBuild: true,
  },
  {
    name: 'the YAML REST suite of the search API, file by file',
    run: vitest('test/contract/yaml-rest.test.ts'),
    env: { MILLRACE_YAML_REST: 'all' },
    isOwnBuild: true,
  },
  {
    // Takes a running OpenSearch or other seeds as arguments of `.tmp/oracle/bundle/main.js`.
    name: 'oracle: random requests to the search API beside a real OpenSearch',
    needs: [
      { command: 'javac', debian: 'default-jdk-headless' },
      { command: 'mvn', debian: 'maven' },
    ],
    prepare: [
      own(['npx', 'rolldown', 'test/extra/oracle/main.ts', '-d', '.tmp/oracle/bundle', '--platform', 'node']),
    ],
    run: ['node', '.tmp/oracle/bundle/main.js', '--count', '100', '--show', '3'],
    isOwnBuild: true,
  },
  {
    name: 'the store killed 200 times under load',
    run: vitest('test/contract/store-kills.test.ts'),
    env: { MILLRACE_LONG: '1' },
    isOwnBuild: true,
  },
  {
    name: 'crash: the opensearch output and a real OpenSearch while the node is killed',
    needs: [
      { command: 'javac', debian: 'default-jdk-headless' },
      { command: 'mvn', debian: 'maven' },
    ],
    run: extra('test/extra/servers/opensearch.extra.ts'),
    isOwnBuild: true,
  },
  {
    name: 'crash: a pipeline with a persisted queue killed 300 times under load',
    run: vitest('test/crash/pipeline-kills.test.ts'),
    env: { MILLRACE_LONG: '1' },
    isOwnBuild: true,
  },
  {
    // MILLRACE_CUTS is how many.
    name: 'crash: 300 power cuts on cloned images, and the same with an fsync left out',
    needs: [
      { command: 'mkfs.xfs', debian: 'xfsprogs' },
      { command: 'mkfs.ext4', debian: 'e2fsprogs' },
      { command: 'cc', debian: 'gcc libc6-dev' },
    ],
    prepare: [root, build],
    run: extra('test/extra/power'),
    isOwnBuild: true,
  },
  {
    name: 'the store with 20,000 flipped bits and 100,000 simulated crashes',
    run: vitest('test/crash/damaged-store.test.ts', 'test/crash/simulated-crashes.test.ts'),
    env: { STORE_FLIPS: '20000', CRASH_RUNS: '100000' },
    isOwnBuild: true,
  },
  {
    name: 'the store and its pages against models, 10,000 cases each',
    run: vitest('src/search/index/store-model.test.ts', 'src/search/collect/model.test.ts'),
    env: { STORE_CASES: '10000', COLLECT_CASES: '10000' },
    isOwnBuild: true,
  },
]

const words = process.argv.slice(2)
const chosen = extras.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
const done = new Map()
const skipped = []
const failed = []
for (const { name, needs = [], wants = [], prepare = [], run, env, isOwnBuild = false, shows } of chosen) {
  let missing
  try {
    wants.forEach(available)
    missing =
      needs
        .filter((need) => !available(need))
        .map(
          ({ command, debian }) => `needs ${command}; Debian package ${debian} could not be installed`,
        )[0] ?? prepare.map(prepared).find((problem) => problem !== undefined)
  } catch (error) {
    failed.push(name)
    console.log(`failed: ${name} (${error.message})`)
    continue
  }
  if (missing !== undefined) {
    console.log(`skipped: ${name} (${missing})`)
    skipped.push(name)
    continue
  }
  console.log(`running: ${name}`)
  const binary = isOwnBuild ? {} : { MILLRACE_BINARY: installedBinary() }
  const [command, ...args] = run
  const { status } = spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, ...binary, ...env },
  })
  if (shows !== undefined && existsSync(shows)) console.log(readFileSync(shows, 'utf8'))
  if (status === 0) continue
  failed.push(name)
  console.log(`failed: ${name}`)
}
for (const name of skipped) console.log(`was skipped: ${name}`)
for (const name of failed) console.log(`has failed: ${name}`)
console.log(
  `${chosen.length - skipped.length - failed.length} passed, ${failed.length} failed, ${skipped.length} skipped`,
)
process.exitCode = failed.length === 0 ? 0 : 1

function installedBinary() {
  return process.env.MILLRACE_BINARY ?? join(installed, 'node_modules', 'millrace', 'bin', 'millrace.js')
}

/** The program as its users install it, packed, with the optional packages beside it. */
function install() {
  rmSync(installed, { recursive: true, force: true })
  mkdirSync(installed, { recursive: true })
  writeFileSync(join(installed, 'package.json'), '{ "private": true }\n')
  build()
  own(['npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', installed])()
  const archive = readdirSync(installed).find((name) => name.endsWith('.tgz'))
  return npmInstall(installed, [join(installed, archive), ...peers, ...aws])
}

function root() {
  return process.getuid?.() === 0 ? undefined : 'needs root'
}

function emptyTable() {
  mkdirSync(join(temporary, 'hostile'), { recursive: true })
  const head = '| row | attack | wanted | seen | verdict |\n|---|---|---|---|---|\n'
  writeFileSync(join(temporary, 'hostile', 'table.md'), head)
}

function installClients() {
  mkdirSync(clients, { recursive: true })
  writeFileSync(join(clients, 'package.json'), '{ "private": true }\n')
  // 9.4 is the last version of its line that runs on Node 20.
  return npmInstall(clients, [
    'es7@npm:@elastic/elasticsearch@7.17',
    'es8@npm:@elastic/elasticsearch@8',
    'es9@npm:@elastic/elasticsearch@~9.4',
    'os2@npm:@opensearch-project/opensearch@2',
    'os3@npm:@opensearch-project/opensearch@3',
  ])
}

/** From PyPI, into an environment of its own. */
function installMoto() {
  return (
    problemOf(['python3', '-m', 'venv', moto]) ??
    problemOf([join(moto, 'bin', 'pip'), 'install', '--quiet', 'moto[server]'])
  )
}

function npmInstall(folder, packages) {
  return problemOf(['npm', 'install', '--no-audit', '--no-fund', '--prefix', folder, ...packages])
}

/** A step that needs nothing from outside: when it fails, so does the test. */
function own(step) {
  return () => {
    const problem = problemOf(step)
    if (problem !== undefined) throw new Error(problem)
  }
}

/** Does a step once, however many tests ask for it. Gives what went wrong. */
function prepared(step) {
  const key = typeof step === 'function' ? step : step.join(' ')
  if (!done.has(key)) done.set(key, typeof step === 'function' ? step() : problemOf(step))
  return done.get(key)
}

function problemOf([command, ...args]) {
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status === 0) return undefined
  const last = (stderr ?? '').trim().split('\n').slice(-3).join(' ')
  return `${command} ${args.slice(0, 2).join(' ')} failed: ${error?.message ?? last}`
}

function available({ command, debian, file }) {
  if (found(command, file)) return true
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  prepared(['apt-get', 'update'])
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...debian.split(' ')], {
    stdio: 'ignore',
    env,
  })
  return found(command, file)
}

/** On the path, or where Debian puts servers; `file` is what else has to be there, with `*`. */
function found(command, file) {
  if (file !== undefined && spawnSync('sh', ['-c', `ls ${file}`]).status !== 0) return false
  const places = `/usr/sbin/${command} /usr/lib/postgresql/*/bin/${command}`
  const test = `command -v ${command} || ls -1 ${places} 2>/dev/null | grep .`
  return spawnSync('sh', ['-c', test]).status === 0
}
