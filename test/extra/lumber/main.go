// Ships events with the client that Beats use (go-lumber), for the test of the beats input.
//
//	lumber ADDRESS COUNT BATCH COMPRESSION WINDOWS
//
// Sends COUNT events in batches of BATCH; WINDOWS batches may wait for their acknowledgement. Says how many events
// were acknowledged.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log"
	"net"
	"os"
	"strconv"
	"sync"
	"time"

	client "github.com/elastic/go-lumber/client/v2"
)

func number(position int) int {
	value, err := strconv.Atoi(os.Args[position])
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func dial(network, address string) (net.Conn, error) {
	authority := os.Getenv("LUMBER_CA")
	if authority == "" {
		return net.DialTimeout(network, address, 10*time.Second)
	}
	pem, err := os.ReadFile(authority)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	return tls.Dial(network, address, &tls.Config{RootCAs: roots, ServerName: "localhost"})
}

func main() {
	address, count, batch, compression, windows := os.Args[1], number(2), number(3), number(4), number(5)
	shipper, err := client.AsyncDialWith(dial, address, windows,
		client.CompressionLevel(compression), client.Timeout(60*time.Second))
	if err != nil {
		log.Fatal(err)
	}
	var waiting sync.WaitGroup
	var lock sync.Mutex
	acknowledged := 0
	for sent := 0; sent < count; {
		events := []interface{}{}
		for ; len(events) < batch && sent < count; sent++ {
			events = append(events, map[string]interface{}{
				"@timestamp": "2024-05-06T07:08:09.123Z",
				"@metadata":  map[string]interface{}{"beat": "lumber", "type": "_doc", "version": "8.0.0"},
				"message":    fmt.Sprintf("line %d €", sent),
				"host":       map[string]interface{}{"name": "shipper"},
				"n":          sent,
			})
		}
		waiting.Add(1)
		err := shipper.Send(func(sequence uint32, err error) {
			lock.Lock()
			acknowledged += int(sequence)
			lock.Unlock()
			if err != nil {
				log.Print(err)
			}
			waiting.Done()
		}, events)
		if err != nil {
			log.Fatal(err)
		}
	}
	waiting.Wait()
	fmt.Println(acknowledged)
	shipper.Close()
}
