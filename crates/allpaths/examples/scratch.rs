use allpaths::*;
use std::time::Instant;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let l: usize = a[2].parse().unwrap();
    let t: usize = a[3].parse().unwrap();
    let start = Instant::now();
    let mut d = Dataset::read(&a[1]).unwrap();
    for _ in 0..a.get(4).map_or(0, |x| x.parse().unwrap()) {
        d = Dataset::read(&a[1]).unwrap();
    }
    println!("read {:?} {:?}", start.elapsed(), d.notes());
    let subject = if a.len() > 5 { count::Subject::Cycles } else { count::Subject::Both };
    for _ in 0..std::env::var("N").map_or(3, |n| n.parse().unwrap()) {
        let start = Instant::now();
        let c = Counter::up_to(l).threads(t).subject(subject).count_each(d.graphs()).unwrap();
        let e = start.elapsed();
        let s = count::Counts::sum(&c).unwrap();
        let p: f64 = s.path_counts().unwrap_or(&[]).iter().map(|c| c.to_f64()).sum();
        println!("{e:?} {} paths {:.1}M/s", p, p / e.as_secs_f64() / 1e6);
        if t > 0 {
            println!("{:?}", s.path_counts().map(|c| c.iter().map(|c| c.to_string()).collect::<Vec<_>>()));
            println!("{:?}", s.cycle_counts().map(|c| c.iter().map(|c| c.to_string()).collect::<Vec<_>>()));
        }
    }
}
