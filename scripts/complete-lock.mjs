// Completes package-lock.json after `npm install` from a registry mirror that carries native binaries for some
// platforms only: npm leaves the others out of the lock, and `npm ci` then refuses it. Each missing optional
// package is entered with the version its parent asks for and the platform its name tells.
import { readFileSync, writeFileSync } from 'node:fs'

const path = 'package-lock.json'
const lock = JSON.parse(readFileSync(path, 'utf8'))

const systems = {
  win32: 'win32',
  darwin: 'darwin',
  linux: 'linux',
  android: 'android',
  freebsd: 'freebsd',
  openharmony: 'openharmony',
}
const processors = ['x64', 'arm64', 'arm', 'ia32', 's390x', 'ppc64', 'riscv64', 'loong64', 'wasm32']

let added = 0
for (const parent of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`
    if (lock.packages[key] !== undefined) continue
    const words = name.split(/[/-]/)
    const os = words.find((word) => word in systems)
    const cpu = words.find((word) => processors.includes(word))
    if (os === undefined && cpu === undefined) {
      console.log(`${name}: no platform in its name, left out`)
      continue
    }
    lock.packages[key] = {
      version: version.replace(/^[\^~]/, ''),
      ...(cpu !== undefined && { cpu: [cpu] }),
      ...(parent.dev && { dev: true }),
      ...(words.includes('musl') && { libc: ['musl'] }),
      optional: true,
      ...(os !== undefined && { os: [systems[os]] }),
    }
    added += 1
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${added} entries added`)
