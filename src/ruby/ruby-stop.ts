/** Ends Ruby code whatever it rescues: not an exception of the program. */
export class RubyStop extends Error {}
