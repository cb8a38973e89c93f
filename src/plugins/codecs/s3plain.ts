/** The s3_plain codec by the name of its gem. */
import { s3Plain } from './s3-plain.ts'

export default s3Plain('s3plain')
