package match
import ("testing";"time";"tally/match/readings";"fmt")
func TestZZ(t *testing.T){
 for _,p := range []string{"PM_RESUMED_NOWHERE","café","vacatoin","agent of the king","to be","世界","Résumé","static int foo","getFooBarBaz","don't"} {
  t0:=time.Now()
  f,ok:=readings.FilterOf(readings.Query{Patterns:[]string{p},Fixed:true})
  t1:=time.Now()
  _,err:=NewSieve(f.Needle)
  fmt.Println(p,ok,len(f.Needle),t1.Sub(t0),time.Since(t1),err)
 }
}
