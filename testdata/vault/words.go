package vault

import (
	"strings"
)

// None of these words contains a keyword, nor ends and begins so that two of
// them in a row would, since a blank or a line end stands between them.

// topics name notes and headings.
var topics = strings.Fields(`
compost seedlings harvest orchard greenhouse rainwater beehive mulch meridian budget
planning review standup roadmap onboarding incident postmortem migration backup latency
indexing embedding ranking corpus tokenizer notebook reading letters travel kitchen
sourdough ferment bicycle workshop carpentry ledger taxes insurance garden weather
astronomy telescope history cartography language grammar music practice exercise sleep`)

// vocabulary is what prose is made of. Short words stand in it more than once,
// so that they come up more often, as they do in prose.
var vocabulary = strings.Fields(`
the the the the the of of of and and and to to to a a a in in is is it it that that was was for for on on
with with as as at by by from or an be be this this which not not are but had have has were they we our you
their there when then than into over under after before again more most other some such only also very will
would can could should may might must about between through during without within along across behind beyond
work working worked system systems model models question questions answer answers result results reason reasons
change changes changed problem problems idea ideas note notes page pages source sources example examples detail
details number numbers measure measured value values word words line lines letter letters paper papers chapter
section table figure figures method methods process processes machine machines memory memories index search
query document documents library record records archive history context window token tokens weight weights
morning evening winter summer spring autumn water river mountain valley forest meadow garden gardens tree trees
leaf leaves root roots seed seeds flower flowers fruit bread butter cheese kitchen table chair window door
house street city village country people person friend friends family children mother father sister brother
teacher student doctor writer reader painter music song story stories book books letterbox morning light shadow
small large long short early late quick slow bright dark quiet loud simple complex careful useful common rare
open closed certain likely possible different similar same first second third last next previous recent older
write writes wrote written read reads find finds found keep keeps kept give gives given take takes taken make
makes made think thinks thought know knows known show shows shown learn learns learned build builds built
naïve café façade über señor coöperate jalapeño crème 10 25 1999 2024 3.14 e.g. i.e. etc`)

// A source draws numbers: splitmix64, whose sequence is fixed by its
// definition and not by a library's version.
type source struct{ state uint64 }

func (s *source) next() uint64 {
	s.state += 0x9e3779b97f4a7c15
	z := s.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below draws from [0, n).
func (s *source) below(n int) int { return int(s.next() >> 33 % uint64(n)) }

func (s *source) pick(words []string) string { return words[s.below(len(words))] }

// shuffled returns 0 … n-1 in a drawn order.
func (s *source) shuffled(n int) []int {
	order := make([]int, n)
	for i := range order {
		j := s.below(i + 1)
		order[i], order[j] = order[j], i
	}
	return order
}
