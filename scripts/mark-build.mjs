// Tells the launcher that the build is complete.
import { writeFileSync } from 'node:fs'

writeFileSync('dist/.complete', `${process.version}\n`)
