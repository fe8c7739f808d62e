use allpaths::{AllPathsCycles, Dataset, Monitor, embed::*, label::*};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let d = std::env::var("ALLPATHS_DATA").unwrap_or("../shared".into());
    let data = Dataset::read(format!("{d}/datasets/{}", a[2])).unwrap();
    let l: usize = a[3].parse().unwrap();
    let n: usize = a[4].parse().unwrap();
    if a[1] == "plain" {
        let mut s = 0;
        for _ in 0..n {
            s += data.graphs().iter().map(|g| allpaths::count::walk_plainly(g, l)).sum::<u128>();
        }
        println!("{s}");
        return;
    }
    let s = match a[1].as_str() {
        "power" => AllPathsCycles::up_to(l).encoding(Encoding::Power),
        "sequence" => AllPathsCycles::up_to(l),
        "refined" => AllPathsCycles::of(Profile::new([(1, l)]).unwrap()),
        _ => panic!(),
    }
    .threads(1);
    let map = LabelMap::learn(
        if a[1] == "power" { LabelChoice::Commonest(3) } else { LabelChoice::All },
        data.graphs(),
    )
    .unwrap();
    let f = s.with_labels(map).unwrap();
    for _ in 0..n {
        println!("{}", f.ids_under(data.graphs(), &Monitor::new()).unwrap().rows());
    }
}
