/**
 * The fields of NetFlow version 9 (Cisco's list) and of IPFIX (IANA's registry of information elements) that
 * exporters are known to send: number, name and kind of value. A number that is not listed is passed over.
 */
export type FieldKind =
  | 'uint'
  | 'int'
  | 'float'
  | 'ip'
  | 'mac'
  | 'text'
  | 'bytes'
  | 'bool'
  | 'mpls'
  | 'application'
  | 'status'
  | 'acl'

export interface FlowField {
  readonly name: string
  readonly kind: FieldKind
}

export type FieldTable = ReadonlyMap<number, FlowField>

/** `number:name`, kinds after a slash; `uint` unless said. */
function table(text: string): FieldTable {
  const fields = new Map<number, FlowField>()
  for (const entry of text.trim().split(/\s+/)) {
    const [, number = '', name = '', kind = 'uint'] = /^(\d+):([^/]+)(?:\/(\w+))?$/.exec(entry) ?? []
    fields.set(Number(number), { name, kind: kind as FieldKind })
  }
  return fields
}

export const version9Fields = table(`
  1:in_bytes 2:in_pkts 3:flows 4:protocol 5:src_tos 6:tcp_flags 7:l4_src_port 8:ipv4_src_addr/ip 9:src_mask
  10:input_snmp 11:l4_dst_port 12:ipv4_dst_addr/ip 13:dst_mask 14:output_snmp 15:ipv4_next_hop/ip 16:src_as
  17:dst_as 18:bgp_ipv4_next_hop/ip 19:mul_dst_pkts 20:mul_dst_bytes 21:last_switched 22:first_switched
  23:out_bytes 24:out_pkts 25:min_pkt_length 26:max_pkt_length 27:ipv6_src_addr/ip 28:ipv6_dst_addr/ip
  29:ipv6_src_mask 30:ipv6_dst_mask 31:ipv6_flow_label 32:icmp_type 33:mul_igmp_type 34:sampling_interval
  35:sampling_algorithm 36:flow_active_timeout 37:flow_inactive_timeout 38:engine_type 39:engine_id
  40:total_bytes_exp 41:total_pkts_exp 42:total_flows_exp 43:vendor_43 44:ipv4_src_prefix/ip
  45:ipv4_dst_prefix/ip 46:mpls_top_label_type 47:mpls_top_label_ip_addr/ip 48:flow_sampler_id
  49:flow_sampler_mode 50:flow_sampler_random_interval 52:min_ttl 53:max_ttl 54:ipv4_ident 55:dst_tos
  56:in_src_mac/mac 57:out_dst_mac/mac 58:src_vlan 59:dst_vlan 60:ip_protocol_version 61:direction
  62:ipv6_next_hop/ip 63:bgp_ipv6_next_hop/ip 64:ipv6_option_headers 70:mpls_label_1/mpls 71:mpls_label_2/mpls
  72:mpls_label_3/mpls 73:mpls_label_4/mpls 74:mpls_label_5/mpls 75:mpls_label_6/mpls 76:mpls_label_7/mpls
  77:mpls_label_8/mpls 78:mpls_label_9/mpls 79:mpls_label_10/mpls 80:in_dst_mac/mac 81:out_src_mac/mac
  82:if_name/text 83:if_desc/text 84:sampler_name/text 85:in_permanent_bytes 86:in_permanent_pkts
  88:fragment_offset 89:forwarding_status/status 90:mpls_vpn_rd/bytes 91:mpls_prefix_len 92:src_traffic_index
  93:dst_traffic_index 94:application_description/text 95:application_id/application 96:application_name/text
  98:post_ip_diff_serv_code_point 99:multicast_replication_factor 128:dst_as_peer 129:src_as_peer
  148:conn_id 152:flow_start_msec 153:flow_end_msec 176:icmp_type 177:icmp_code 178:icmp_type_ipv6
  179:icmp_code_ipv6 195:ip_dscp 201:mpls_label_stack_length 225:xlate_src_addr_ipv4/ip
  226:xlate_dst_addr_ipv4/ip 227:xlate_src_port 228:xlate_dst_port 229:nat_originating_address_realm
  230:nat_event 231:fwd_flow_delta_bytes 232:rev_flow_delta_bytes 233:fw_event 234:ingress_vrf_id
  235:egress_vrf_id 236:vrf_name/text 281:xlate_src_addr_ipv6/ip 282:xlate_dst_addr_ipv6/ip
  323:event_time_msec 361:port_range_start 362:port_range_end 363:port_range_step_size
  364:port_range_num_ports 33000:ingress_acl_id/acl 33001:egress_acl_id/acl 33002:fw_ext_event
  40000:username/text 40001:xlate_src_addr_ipv4/ip 40002:xlate_dst_addr_ipv4/ip 40003:xlate_src_port
  40004:xlate_dst_port 40005:fw_event
`)

/** Scopes of option templates. */
export const version9Scopes = table(
  '1:scope_system 2:scope_interface 3:scope_line_card 4:scope_netflow_cache 5:scope_template',
)

export const ipfixFields = table(`
  1:octetDeltaCount 2:packetDeltaCount 3:deltaFlowCount 4:protocolIdentifier 5:ipClassOfService 6:tcpControlBits
  7:sourceTransportPort 8:sourceIPv4Address/ip 9:sourceIPv4PrefixLength 10:ingressInterface
  11:destinationTransportPort 12:destinationIPv4Address/ip 13:destinationIPv4PrefixLength 14:egressInterface
  15:ipNextHopIPv4Address/ip 16:bgpSourceAsNumber 17:bgpDestinationAsNumber 18:bgpNextHopIPv4Address/ip
  19:postMCastPacketDeltaCount 20:postMCastOctetDeltaCount 21:flowEndSysUpTime 22:flowStartSysUpTime
  23:postOctetDeltaCount 24:postPacketDeltaCount 25:minimumIpTotalLength 26:maximumIpTotalLength
  27:sourceIPv6Address/ip 28:destinationIPv6Address/ip 29:sourceIPv6PrefixLength 30:destinationIPv6PrefixLength
  31:flowLabelIPv6 32:icmpTypeCodeIPv4 33:igmpType 34:samplingInterval 35:samplingAlgorithm 36:flowActiveTimeout
  37:flowIdleTimeout 38:engineType 39:engineId 40:exportedOctetTotalCount 41:exportedMessageTotalCount
  42:exportedFlowRecordTotalCount 44:sourceIPv4Prefix/ip 45:destinationIPv4Prefix/ip 46:mplsTopLabelType
  47:mplsTopLabelIPv4Address/ip 48:samplerId 49:samplerMode 50:samplerRandomInterval 51:classId 52:minimumTTL
  53:maximumTTL 54:fragmentIdentification 55:postIpClassOfService 56:sourceMacAddress/mac
  57:postDestinationMacAddress/mac 58:vlanId 59:postVlanId 60:ipVersion 61:flowDirection
  62:ipNextHopIPv6Address/ip 63:bgpNextHopIPv6Address/ip 64:ipv6ExtensionHeaders
  70:mplsTopLabelStackSection/bytes 80:destinationMacAddress/mac 81:postSourceMacAddress/mac
  82:interfaceName/text 83:interfaceDescription/text 84:samplerName/text 85:octetTotalCount 86:packetTotalCount
  87:flagsAndSamplerId 88:fragmentOffset 89:forwardingStatus 90:mplsVpnRouteDistinguisher/bytes
  91:mplsTopLabelPrefixLength 92:srcTrafficIndex 93:dstTrafficIndex 94:applicationDescription/text
  95:applicationId/application 96:applicationName/text 98:postIpDiffServCodePoint 99:multicastReplicationFactor
  100:className/text 101:classificationEngineId 128:bgpNextAdjacentAsNumber 129:bgpPrevAdjacentAsNumber
  130:exporterIPv4Address/ip 131:exporterIPv6Address/ip 132:droppedOctetDeltaCount 133:droppedPacketDeltaCount
  134:droppedOctetTotalCount 135:droppedPacketTotalCount 136:flowEndReason 137:commonPropertiesId
  138:observationPointId 139:icmpTypeCodeIPv6 140:mplsTopLabelIPv6Address/ip 141:lineCardId 142:portId
  143:meteringProcessId 144:exportingProcessId 145:templateId 146:wlanChannelId 147:wlanSSID/text 148:flowId
  149:observationDomainId 150:flowStartSeconds 151:flowEndSeconds 152:flowStartMilliseconds
  153:flowEndMilliseconds 154:flowStartMicroseconds 155:flowEndMicroseconds 156:flowStartNanoseconds
  157:flowEndNanoseconds 158:flowStartDeltaMicroseconds 159:flowEndDeltaMicroseconds
  160:systemInitTimeMilliseconds 161:flowDurationMilliseconds 162:flowDurationMicroseconds
  163:observedFlowTotalCount 164:ignoredPacketTotalCount 165:ignoredOctetTotalCount 166:notSentFlowTotalCount
  167:notSentPacketTotalCount 168:notSentOctetTotalCount 169:destinationIPv6Prefix/ip 170:sourceIPv6Prefix/ip
  171:postOctetTotalCount 172:postPacketTotalCount 173:flowKeyIndicator 174:postMCastPacketTotalCount
  175:postMCastOctetTotalCount 176:icmpTypeIPv4 177:icmpCodeIPv4 178:icmpTypeIPv6 179:icmpCodeIPv6
  180:udpSourcePort 181:udpDestinationPort 182:tcpSourcePort 183:tcpDestinationPort 184:tcpSequenceNumber
  185:tcpAcknowledgementNumber 186:tcpWindowSize 187:tcpUrgentPointer 188:tcpHeaderLength 189:ipHeaderLength
  190:totalLengthIPv4 191:payloadLengthIPv6 192:ipTTL 193:nextHeaderIPv6 194:mplsPayloadLength
  195:ipDiffServCodePoint 196:ipPrecedence 197:fragmentFlags 198:octetDeltaSumOfSquares
  199:octetTotalSumOfSquares 200:mplsTopLabelTTL 201:mplsLabelStackLength 202:mplsLabelStackDepth
  203:mplsTopLabelExp 204:ipPayloadLength 205:udpMessageLength 206:isMulticast 207:ipv4IHL 208:ipv4Options
  209:tcpOptions 210:paddingOctets/bytes 211:collectorIPv4Address/ip 212:collectorIPv6Address/ip
  213:exportInterface 214:exportProtocolVersion 215:exportTransportProtocol 216:collectorTransportPort
  217:exporterTransportPort 218:tcpSynTotalCount 219:tcpFinTotalCount 220:tcpRstTotalCount 221:tcpPshTotalCount
  222:tcpAckTotalCount 223:tcpUrgTotalCount 224:ipTotalLength 225:postNATSourceIPv4Address/ip
  226:postNATDestinationIPv4Address/ip 227:postNAPTSourceTransportPort 228:postNAPTDestinationTransportPort
  229:natOriginatingAddressRealm 230:natEvent 231:initiatorOctets 232:responderOctets 233:firewallEvent
  234:ingressVRFID 235:egressVRFID 236:VRFname/text 237:postMplsTopLabelExp 238:tcpWindowScale
  239:biflowDirection 240:ethernetHeaderLength 241:ethernetPayloadLength 242:ethernetTotalLength 243:dot1qVlanId
  244:dot1qPriority 245:dot1qCustomerVlanId 246:dot1qCustomerPriority 252:ingressPhysicalInterface
  253:egressPhysicalInterface 254:postDot1qVlanId 255:postDot1qCustomerVlanId 256:ethernetType
  258:collectionTimeMilliseconds 260:maxExportSeconds 261:maxFlowEndSeconds 276:dataRecordsReliability/bool
  277:observationPointType 278:newConnectionDeltaCount 279:connectionSumDurationSeconds 280:connectionTransactionId
  281:postNATSourceIPv6Address/ip 282:postNATDestinationIPv6Address/ip 283:natPoolId 284:natPoolName/text
  295:IPSecSPI 296:greKey 297:natType 298:initiatorPackets 299:responderPackets 300:observationDomainName/text
  301:selectionSequenceId 302:selectorId 303:informationElementId 304:selectorAlgorithm
  305:samplingPacketInterval 306:samplingPacketSpace 307:samplingTimeInterval 308:samplingTimeSpace
  309:samplingSize 310:samplingPopulation 311:samplingProbability/float 313:ipHeaderPacketSection/bytes
  314:ipPayloadPacketSection/bytes 318:selectorIdTotalPktsObserved 319:selectorIdTotalPktsSelected
  322:observationTimeSeconds 323:observationTimeMilliseconds 324:observationTimeMicroseconds
  325:observationTimeNanoseconds 346:privateEnterpriseNumber 351:layer2SegmentId 352:layer2OctetDeltaCount
  361:portRangeStart 362:portRangeEnd 363:portRangeStepSize 364:portRangeNumPorts 365:staMacAddress/mac
  366:staIPv4Address/ip 367:wtpMacAddress/mac 368:ingressInterfaceType 369:egressInterfaceType
  371:userName/text 458:sourceTransportPortsLimit 459:httpRequestMethod/text 460:httpRequestHost/text
  461:httpRequestTarget/text 462:httpMessageVersion/text 466:natQuotaExceededEvent 467:natThresholdEvent
  468:httpUserAgent/text 469:httpContentType/text 470:httpReasonPhrase/text 471:maxSessionEntries
`)

/** Elements of the flow back, as RFC 5103 numbers and names them. */
function reverse(fields: FieldTable): FieldTable {
  return new Map(
    [...fields].map(([number, { name, kind }]) => [
      number,
      { name: `reverse${name[0]!.toUpperCase()}${name.slice(1)}`, kind },
    ]),
  )
}

/** Elements of single organisations, by their number. */
export const enterpriseFields: ReadonlyMap<number, FieldTable> = new Map([
  [29_305, reverse(ipfixFields)],
  [
    6876,
    table(`
      880:tenantProtocol 881:tenantSourceIPv4/ip 882:tenantDestIPv4/ip 883:tenantSourceIPv6/ip 884:tenantDestIPv6/ip
      886:tenantSourcePort 887:tenantDestPort 888:egressInterfaceAttr 889:vxlanExportRole 890:ingressInterfaceAttr
    `),
  ],
])
