/**
 * The header by which the kafka output tells the name of an event to the kafka input of another node: a record that is
 * sent twice, because its acknowledgement was lost or its sender started again, has two offsets but one name.
 */
export const eventNameHeader = 'millrace-event'
