// Package report keeps the ledger of a run and prints its results. It must not
// know how files are found (walk) or searched (match) beyond the values those
// rooms hand out, nor what was typed (flags).
package report
