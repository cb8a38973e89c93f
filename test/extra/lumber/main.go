// Ships events with the client that Beats use (go-lumber), for the test of the beats input.
//
//	lumber ADDRESS COUNT BATCH COMPRESSION WINDOWS
//
// Sends COUNT events in batches of BATCH; WINDOWS batches may wait for their acknowledgement. Says how many events
// were acknowledged. With LUMBER_PATIENT=1 it ships as Filebeat does: one batch at a time, and what was not acknowledged
// is sent again over a new connection, for as long as it takes.
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

func event(n int) map[string]interface{} {
	return map[string]interface{}{
		"@timestamp": "2024-05-06T07:08:09.123Z",
		"@metadata":  map[string]interface{}{"beat": "lumber", "type": "_doc", "version": "8.0.0"},
		"message":    fmt.Sprintf("line %d €", n),
		"host":       map[string]interface{}{"name": "shipper"},
		"n":          n,
	}
}

func shipPatiently(address string, count, batch, compression int) {
	var shipper *client.SyncClient
	for sent := 0; sent < count; {
		if shipper == nil {
			next, err := client.SyncDialWith(dial, address,
				client.CompressionLevel(compression), client.Timeout(10*time.Second))
			if err != nil {
				time.Sleep(50 * time.Millisecond)
				continue
			}
			shipper = next
		}
		events := []interface{}{}
		for n := sent; len(events) < batch && n < count; n++ {
			line := event(n)
			line["log"] = map[string]interface{}{
				"offset": n * 10,
				"file":   map[string]interface{}{"path": "/var/log/lines"},
			}
			events = append(events, line)
		}
		acknowledged, err := shipper.Send(events)
		sent += acknowledged
		if err != nil {
			shipper.Close()
			shipper = nil
		}
	}
	fmt.Println(count)
}

func main() {
	address, count, batch, compression, windows := os.Args[1], number(2), number(3), number(4), number(5)
	if os.Getenv("LUMBER_PATIENT") == "1" {
		shipPatiently(address, count, batch, compression)
		return
	}
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
			events = append(events, event(sent))
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
