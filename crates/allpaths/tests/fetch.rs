//! Datasets by name over a network that does what it should, and one that does not.

#![cfg(feature = "fetch")]

mod server;

use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use allpaths::dataset::{Collection, PUBLISHED, Writer};
use allpaths::{Dataset, Graph, Monitor, Result};
use server::{Framing, Reply, Request, Server};
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// An archive of a dataset of that name: cycles from three vertices on.
fn archive(name: &str) -> Vec<u8> {
    let cycle = |n: usize| Graph::from_edges(n, (0..n).map(|v| (v, (v + 1) % n))).unwrap();
    let data = Dataset::from_graphs(name, (3..40).map(cycle).collect());
    Writer::new().bytes(&data, format!("{name}.zip")).unwrap().0
}

/// A cache, and what is fetched into it.
struct Cache {
    folder: TempDir,
    collection: Collection,
}

impl Cache {
    fn of(site: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let collection = Collection::new().cache(folder.path()).site(site);
        Self { folder, collection }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join("datasets").join(name)
    }

    fn fetch(&self) -> Result<PathBuf> {
        self.collection.fetch("MUTAG", &Monitor::new())
    }

    /// The files that are there, without locks.
    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path().join("datasets")).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> =
            names.filter(|name| Path::new(name).extension().is_none_or(|ending| ending != "lock")).collect();
        names.sort();
        names
    }

    /// That the dataset is here, and nothing else.
    fn holds(&self, content: &[u8]) {
        assert_eq!(fs::read(self.file("MUTAG.zip")).unwrap(), content);
        assert_eq!(self.files(), ["MUTAG.zip", "MUTAG.zip.sha256"]);
    }

    /// That fetching fails for a reason, and leaves nothing behind.
    fn refuses(&self, reason: &str) {
        let error = self.fetch().unwrap_err();
        assert!(error.is_input(), "{error}");
        assert!(error.to_string().contains(reason), "{error}");
        assert!(self.files().is_empty(), "{:?}", self.files());
    }
}

#[test]
fn a_dataset_is_fetched_once() {
    let content = archive("MUTAG");
    let served = content.clone();
    let server = Server::start(move |request| Reply::file(request, &served, "\"1\""));
    let cache = Cache::of(&format!("{}/", server.site()));
    assert_eq!(cache.collection.locate("MUTAG").unwrap(), None);
    for _ in 0..2 {
        let monitor = Monitor::new();
        let path = cache.collection.fetch("MUTAG", &monitor).unwrap();
        assert_eq!(path, cache.file("MUTAG.zip"));
        assert_eq!(Dataset::read(&path).unwrap().graphs().len(), 37);
        assert_eq!(cache.collection.locate("MUTAG").unwrap(), Some(path));
        cache.holds(&content);
    }
    let requests = server.requests();
    assert_eq!(requests.iter().map(|request| request.path.as_str()).collect::<Vec<_>>(), ["/sets/MUTAG.zip"]);
    assert_eq!(requests[0].header("range"), None);
}

#[test]
fn progress_is_a_whole_however_the_length_is_told() {
    for framing in [Framing::Length, Framing::Chunks, Framing::Close] {
        let server = Server::start(move |_| Reply::new(200, archive("MUTAG")).framed(framing));
        let monitor = Monitor::new();
        Cache::of(server.site()).collection.fetch("MUTAG", &monitor).unwrap();
        assert!((monitor.progress() - 1.0).abs() < 1e-9, "{}", monitor.progress());
    }
}

/// A server whose first connections end after so many bytes.
fn cutting(content: Vec<u8>, times: usize, cut: usize, framing: Framing, validator: &'static str) -> Server {
    let count = AtomicUsize::new(0);
    Server::start(move |request| {
        let mut reply = Reply::file(request, &content, "\"1\"").framed(framing);
        reply.headers.retain(|header| !header.starts_with("ETag"));
        if !validator.is_empty() {
            reply = reply.with(validator);
        }
        if count.fetch_add(1, SeqCst) < times { reply.cut(cut) } else { reply }
    })
}

#[test]
fn a_cut_download_goes_on_where_it_ended() {
    let content = archive("MUTAG");
    let end = content.len();
    for framing in [Framing::Length, Framing::Chunks] {
        for (times, cut) in [(1, 0), (1, 1), (1, end - 1), (4, 100), (2, end / 3)] {
            let server = cutting(content.clone(), times, cut, framing, "ETag: \"1\"");
            let cache = Cache::of(server.site());
            cache.fetch().unwrap();
            cache.holds(&content);
            let asked: Vec<_> =
                server.requests().iter().map(|request| request.start().unwrap_or(0)).collect();
            let expected: Vec<_> = (0..=times).map(|i| i * cut).collect();
            assert_eq!(asked, expected, "{times} times after {cut}");
        }
    }
}

#[test]
fn without_a_version_a_cut_download_begins_anew() {
    let content = archive("MUTAG");
    for validator in ["", "ETag: W/\"1\""] {
        let server = cutting(content.clone(), 2, 100, Framing::Length, validator);
        let cache = Cache::of(server.site());
        cache.fetch().unwrap();
        cache.holds(&content);
        assert!(server.requests().iter().all(|request| request.header("range").is_none()), "{validator}");
        assert_eq!(server.requests().len(), 3);
    }
    // A date is a version, too. This server knows tags alone, so it sends everything again.
    let server =
        cutting(content.clone(), 1, 100, Framing::Length, "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT");
    let cache = Cache::of(server.site());
    cache.fetch().unwrap();
    cache.holds(&content);
    let last = server.requests().pop().unwrap();
    assert_eq!(last.header("range"), Some("bytes=100-"));
    assert_eq!(last.header("if-range"), Some("Sun, 06 Nov 1994 08:49:37 GMT"));
}

#[test]
fn a_download_that_failed_goes_on_in_the_next_run() {
    let content = archive("MUTAG");
    let server = cutting(content.clone(), 5, 20, Framing::Length, "ETag: \"1\"");
    let cache = Cache::of(server.site());
    let error = cache.fetch().unwrap_err();
    assert!(error.is_input() && error.to_string().contains("cut off time and again"), "{error}");
    assert_eq!(cache.collection.find("MUTAG"), None, "it is not in its place");
    cache.fetch().unwrap();
    cache.holds(&content);
    let asked: Vec<_> = server.requests().iter().map(Request::start).collect();
    assert_eq!(asked[4..], [Some(80), Some(100)]);
}

/// What is done with a request for a file.
type Answer = fn(&Request, &[u8]) -> Reply;

/// What a site may do with the request for the rest of a file, of which 100 bytes are here.
#[test]
fn a_rest_that_does_not_fit_is_not_taken() {
    let old = archive("MUTAG");
    let data = Dataset::from_graphs("MUTAG", vec![Graph::from_edges(3, [(0, 1), (1, 2)]).unwrap(); 9]);
    let (new, _) = Writer::new().bytes(&data, "MUTAG.zip").unwrap();
    let answers: [(&str, Answer); 4] = [
        ("another version", |request, new| Reply::file(request, new, "\"2\"")),
        ("no ranges", |_, new| Reply::new(200, new)),
        ("another range", |request, new| match request.start() {
            Some(start) => {
                Reply::new(206, &new[start - 1..]).with(&format!("Content-Range: bytes {}-9/10", start - 1))
            }
            None => Reply::new(200, new),
        }),
        ("nothing left", |request, new| match request.start() {
            Some(_) => Reply::new(416, "").with("Content-Range: bytes */100"),
            None => Reply::new(200, new),
        }),
    ];
    for (what, answer) in answers {
        let (first, rest, count) = (old.clone(), new.clone(), AtomicUsize::new(0));
        let server = Server::start(move |request| match count.fetch_add(1, SeqCst) {
            0 => Reply::file(request, &first, "\"1\"").cut(100),
            _ => answer(request, &rest),
        });
        let cache = Cache::of(server.site());
        cache.fetch().unwrap_or_else(|error| panic!("{what}: {error}"));
        cache.holds(&new);
        assert_eq!(server.requests()[1].start(), Some(100), "{what}");
    }
}

#[test]
fn what_is_not_the_dataset_is_refused() {
    let whole = archive("MUTAG");
    let half = whole[..whole.len() / 2].to_vec();
    let mut damaged = whole;
    damaged[200] ^= 1;
    for (content, framing, reason) in [
        (b"<html>Sign in</html>".to_vec(), Framing::Length, "not a folder or zip archive of the TU format"),
        (Vec::new(), Framing::Length, "not a folder or zip archive of the TU format"),
        (half, Framing::Close, "cannot be unpacked"),
        (damaged, Framing::Length, "cannot be unpacked"),
        (archive("NCI1"), Framing::Chunks, "holds the dataset NCI1, not MUTAG"),
    ] {
        let server =
            Server::start(move |_| Reply::new(200, content.clone()).with("ETag: \"1\"").framed(framing));
        Cache::of(server.site()).refuses(reason);
    }
}

#[test]
fn an_archive_that_leads_out_of_its_folder_is_refused() {
    for name in ["../MUTAG_A.txt", "/MUTAG_A.txt", "MUTAG/../../MUTAG_A.txt"] {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in [(name, "1, 2\n"), ("MUTAG_graph_indicator.txt", "1\n1\n")] {
            archive.start_file(name, SimpleFileOptions::default()).unwrap();
            archive.write_all(content.as_bytes()).unwrap();
        }
        let content = archive.finish().unwrap().into_inner();
        let server = Server::start(move |_| Reply::new(200, content.clone()));
        let cache = Cache::of(server.site());
        cache.refuses("leads out of it");
        let around: Vec<_> =
            fs::read_dir(cache.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(around, ["datasets"]);
    }
}

#[test]
fn what_is_too_large_is_refused_whether_it_says_so_or_not() {
    let content = archive("MUTAG");
    let size = content.len() as u64;
    for framing in [Framing::Length, Framing::Chunks, Framing::Close] {
        let served = content.clone();
        let server = Server::start(move |request| Reply::file(request, &served, "\"1\"").framed(framing));
        let mut cache = Cache::of(server.site());
        cache.collection = cache.collection.max_download(size - 1);
        cache.refuses(&format!("larger than {} bytes", size - 1));
        cache.collection = cache.collection.max_download(size);
        cache.fetch().unwrap();
    }
    // What says so is refused before any of it comes.
    let served = content.clone();
    let server = Server::start(move |request| Reply::file(request, &served, "\"1\"").stalled(0));
    let mut cache = Cache::of(server.site());
    cache.collection = cache.collection.max_download(size - 1);
    cache.refuses("larger than");
    // The rest of a download counts together with what was there before.
    let server = cutting(content, 1, 100, Framing::Length, "ETag: \"1\"");
    let mut cache = Cache::of(server.site());
    cache.collection = cache.collection.max_download(size - 1);
    cache.refuses("larger than");
}

#[test]
fn answers_that_are_no_file_are_told() {
    for (status, reason) in
        [(404, "status 404"), (500, "status 500"), (206, "status 206"), (416, "status 416")]
    {
        let server = Server::start(move |_| Reply::new(status, "no"));
        Cache::of(server.site()).refuses(reason);
    }
    // A server on this machine does not send us elsewhere.
    let elsewhere = Server::start(|request| Reply::file(request, &archive("MUTAG"), "\"1\""));
    let location = format!("Location: {}/MUTAG.zip", elsewhere.site());
    let server = Server::start(move |_| Reply::new(302, "").with(&location));
    Cache::of(server.site()).refuses("status 302");
    assert!(elsewhere.requests().is_empty());
}

#[test]
fn without_a_network_a_message_says_what_to_do() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let site = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let cache = Cache::of(&site);
    cache.refuses("cannot be reached");
    let message = cache.fetch().unwrap_err().to_string();
    let advice = format!("put the folder MUTAG or the file MUTAG.zip into {}", cache.file("").display());
    assert!(message.starts_with(&format!("{site}/MUTAG.zip: ")), "{message}");
    assert!(format!("{message}/").contains(&advice), "{message}");
    // As it says.
    fs::write(cache.file("MUTAG.zip"), archive("MUTAG")).unwrap();
    assert_eq!(cache.fetch().unwrap(), cache.file("MUTAG.zip"));
}

#[test]
fn what_was_fetched_stays_what_it_was() {
    let content = archive("MUTAG");
    let server = Server::start(|request| Reply::file(request, &archive("MUTAG"), "\"1\""));
    let cache = Cache::of(server.site());
    cache.fetch().unwrap();
    let mut changed = content.clone();
    *changed.last_mut().unwrap() ^= 1;
    fs::write(cache.file("MUTAG.zip"), &changed).unwrap();
    for error in [cache.fetch().unwrap_err(), cache.collection.locate("MUTAG").unwrap_err()] {
        assert!(error.is_input() && error.to_string().contains("MUTAG.zip.sha256 has another"), "{error}");
    }
    assert_eq!(server.requests().len(), 1);
    fs::remove_file(cache.file("MUTAG.zip")).unwrap();
    cache.fetch().unwrap();
    cache.holds(&content);
    // The site may have another file by now: that is not taken for the old one.
    fs::remove_file(cache.file("MUTAG.zip")).unwrap();
    fs::write(cache.file("MUTAG.zip.sha256"), format!("{}  MUTAG.zip\n", "0".repeat(64))).unwrap();
    let error = cache.fetch().unwrap_err();
    assert!(error.to_string().contains("not what it was"), "{error}");
    assert_eq!(cache.files(), ["MUTAG.zip.sha256"]);
}

#[test]
fn an_interrupt_ends_a_download_that_stalls_and_the_next_goes_on() {
    let content = archive("MUTAG");
    for cut in [0, 300] {
        let (served, count) = (content.clone(), AtomicUsize::new(0));
        let server = Server::start(move |request| {
            let reply = Reply::file(request, &served, "\"1\"");
            if count.fetch_add(1, SeqCst) == 0 { reply.stalled(cut) } else { reply }
        });
        let cache = Cache::of(server.site());
        let monitor = Monitor::new();
        let error = std::thread::scope(|scope| {
            let fetch = scope.spawn(|| cache.collection.fetch("MUTAG", &monitor));
            let partial = cache.file(".MUTAG.zip.partial");
            while fs::metadata(&partial).map_or(0, |file| file.len()) < cut as u64
                || server.requests().is_empty()
            {
                std::thread::yield_now();
            }
            monitor.interrupt();
            fetch.join().unwrap().unwrap_err()
        });
        assert!(error.is_stopped() && !error.is_input(), "{error}");
        assert_eq!(cache.collection.find("MUTAG"), None);
        cache.fetch().unwrap();
        cache.holds(&content);
        assert_eq!(server.requests()[1].start(), Some(cut).filter(|&cut| cut > 0));
    }
}

#[test]
fn one_of_many_fetches_and_the_others_wait_for_it() {
    let server = Server::start(|request| Reply::file(request, &archive("MUTAG"), "\"1\""));
    let cache = Cache::of(server.site());
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..8).map(|_| scope.spawn(|| cache.fetch().unwrap())).collect();
        for one in all {
            assert_eq!(one.join().unwrap(), cache.file("MUTAG.zip"));
        }
    });
    assert_eq!(server.requests().len(), 1);
    cache.holds(&archive("MUTAG"));
}

#[test]
fn settings_that_cannot_be_followed() {
    let cache = Cache::of("http://example.org");
    let unknown = cache.collection.fetch("mutagg", &Monitor::new()).unwrap_err();
    assert_eq!(unknown.to_string(), "no dataset \"mutagg\" is known: did you mean MUTAG?");
    let open = cache.fetch().unwrap_err();
    assert!(open.to_string().contains("by https only"), "{open}");
    let nowhere = Collection::new().fetch("MUTAG", &Monitor::new()).unwrap_err();
    assert!(nowhere.to_string().contains("ALLPATHS_CACHE"), "{nowhere}");
    assert!([unknown, open, nowhere].iter().all(allpaths::Error::is_usage));
}

/// What is known of published datasets is what their files hold.
#[test]
fn published_numbers() {
    let folder = std::env::var_os("ALLPATHS_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let collection = Collection::new().data(&folder);
    let mut found = 0;
    for set in PUBLISHED {
        let Some(path) = collection.locate(set.name).unwrap() else { continue };
        let data = Dataset::read(path).unwrap();
        let mut classes = data.classes().unwrap().to_vec();
        classes.sort_unstable();
        classes.dedup();
        let graph = &data.graphs()[0];
        assert_eq!((data.graphs().len(), classes.len()), (set.graphs, set.classes), "{}", set.name);
        assert_eq!(graph.vertex_labels().is_some(), set.vertex_labels, "{}", set.name);
        assert_eq!(graph.edge_labels().is_some(), set.edge_labels, "{}", set.name);
        assert_eq!(graph.vertex_attributes().len(), set.vertex_attributes, "{}", set.name);
        assert_eq!(graph.edge_attributes().len(), set.edge_attributes, "{}", set.name);
        found += 1;
    }
    if found == 0 {
        eprintln!("skipped: no datasets in {}", folder.display());
    }
}
