package match
import ("testing";"tally/match/readings";"os")
func TestZN(t *testing.T){
  f,_:=readings.FilterOf(readings.Query{Patterns:[]string{"vacatoin"},Fixed:true})
  os.WriteFile("/tmp/zb/needle",[]byte(f.Needle),0o644)
}
